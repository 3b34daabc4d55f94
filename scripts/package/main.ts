// Writes the packages to dist/packages: for npm, archives with Node inside, Debian packages, their bill of materials and checksums.
//   npm run package -- [--key FILE] [--from URL] [--processor x64|arm64]... [--image]
//     [--to DIRECTORY] [--no-build] [--here]
// --key: an Ed25519 key (PEM) that signs the checksums. --from: where install.sh finds the archives if they are not next to it.
// --image: the image for containers too, which needs root. --here: only for the processor of this machine, and compresses little.
import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { archive, has, setModes } from './archive.ts'
import { debianPackage } from './debian.ts'
import { ownNode, type Processor, processors } from './own-node.ts'
import { manifest, root, stageFiles, stageProgram, stageShare } from './stage.ts'

const { name, version } = manifest
const values = readOptions()
const key = values.key === undefined ? null : readKey(values.key)
const wanted = values.processor ?? (values.here ? [process.arch] : processors)
for (const each of wanted) if (!isProcessor(each)) stop(`--processor ${each}: packages are built for ${processors.join(' and ')}.`)
if (!values['no-build']) {
  tell('builds the command and its pages')
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { stdio: 'inherit' })
}

/** Seconds since 1970: the time of the commit, so that equal sources give equal bytes. */
const time = Number(
  process.env['SOURCE_DATE_EPOCH'] ?? execFileSync('git', ['-C', root, 'log', '-1', '--format=%ct'], { encoding: 'utf8' }),
)
const target = path.resolve(values.to)
const how = { time, fast: values.here }
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const staging = mkdtempSync(path.join(tmpdir(), 'paddock-package-'))
try {
  tell('packs for npm')
  npmPackage(path.join(staging, 'npm'))
  for (const each of wanted.filter(isProcessor)) {
    tell(`packs an archive and a Debian package for ${each}, with its Node`)
    archives(path.join(staging, `${name}-${version}-linux-${each}`), each)
    if (has('dpkg-deb')) debianPackage(path.join(staging, `debian-${each}`), target, each, how)
    else tell(`no Debian package for ${each}, because there is no dpkg-deb here`)
  }
  if (values.image) {
    tell('makes the image for containers')
    execFileSync('bash', [path.join(root, 'scripts/package/image.sh'), target], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  writeFileSync(path.join(target, `${name}-${version}.cdx.json`), materials())
  writeFileSync(path.join(target, 'install.sh'), installer(), { mode: 0o755 })
  writeSums()
} finally {
  rmSync(staging, { recursive: true, force: true })
}
for (const each of readdirSync(target)) {
  const megabytes = statSync(path.join(target, each)).size / 1e6
  process.stdout.write(`${megabytes.toFixed(1).padStart(6)} MB  ${path.relative(process.cwd(), path.join(target, each))}\n`)
}
if (wanted.some((each) => each === process.arch))
  tell(`to install it here: sh ${path.relative(process.cwd(), path.join(target, 'install.sh'))}`)

function tell(sentence: string): void {
  process.stderr.write(`package: ${sentence}\n`)
}

function npmPackage(staged: string): void {
  stageFiles(staged)
  setModes(staged)
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', target], {
    cwd: staged,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function archives(staged: string, processor: Processor): void {
  stageProgram(path.join(staged, 'program'), processor)
  stageShare(path.join(staged, 'share'))
  writeFileSync(path.join(staged, 'VERSION'), `${version}\n`)
  setModes(staged)
  archive(staged, path.join(target, path.basename(staged)), how)
}

/** What the packages contain: the bundled packages, those beside the bundle, and Node. */
function materials(): string {
  const found = JSON.parse(readFileSync(path.join(root, 'dist/sbom.json'), 'utf8'))
  const purl = `pkg:generic/node@${ownNode.x64.version}`
  found.components.push({
    type: 'application',
    'bom-ref': purl,
    name: 'node',
    version: ownNode.x64.version,
    purl,
    licenses: [{ license: { id: 'MIT' } }],
  })
  found.dependencies[0].dependsOn.push(purl)
  found.dependencies.push({ ref: purl, dependsOn: [] })
  return `${JSON.stringify(found, null, 2)}\n`
}

function installer(): string {
  const text = readFileSync(path.join(root, 'packaging/install.sh'), 'utf8')
  const pem = key === null ? '' : createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString().trim()
  const settings = { release: version, from: values.from, public_key: pem }
  return Object.entries(settings).reduce((all, [key, value]) => all.replace(`\n${key}=''\n`, () => `\n${key}='${value}'\n`), text)
}

function writeSums(): void {
  const sum = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(path.join(target, file)))
      .digest('hex')
  const sums = readdirSync(target).map((each) => `${sum(each)}  ${each}\n`)
  writeFileSync(path.join(target, 'SHA256SUMS'), sums.join(''))
  if (key !== null) writeFileSync(path.join(target, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums.join('')), key))
}

function readKey(file: string): KeyObject {
  try {
    const read = createPrivateKey(readFileSync(file))
    if (read.asymmetricKeyType === 'ed25519') return read
    return stop(
      `--key ${file}: it is a key for ${read.asymmetricKeyType}, not for Ed25519. Make one: openssl genpkey -algorithm ed25519 -out FILE`,
    )
  } catch (error) {
    return stop(`--key ${file}: ${(error as Error).message}`)
  }
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        key: { type: 'string' },
        from: { type: 'string', default: '' },
        processor: { type: 'string', multiple: true },
        image: { type: 'boolean', default: false },
        'no-build': { type: 'boolean', default: false },
        here: { type: 'boolean', default: false },
        to: { type: 'string', default: path.join(root, 'dist/packages') },
      },
    }).values
  } catch (error) {
    return stop((error as Error).message)
  }
}

function isProcessor(text: string): text is Processor {
  return (processors as readonly string[]).includes(text)
}

function stop(sentence: string): never {
  tell(sentence)
  process.exit(2)
}
