// The packages of others that a build contains. Most are not among its dependencies, because their code is in the bundle.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const directories = new Set()

/** Collects the packages of all modules that are bundled with this plugin. */
export const bundledPackages = {
  name: 'bundled-packages',
  generateBundle(_, bundle) {
    for (const { modules } of Object.values(bundle)) for (const each of Object.keys(modules ?? {})) add(each)
  },
}

/** Adds the package of a file that a build copies. */
export function add(file) {
  const [directory] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.resolve(root, file)) ?? []
  if (directory !== undefined) directories.add(directory)
}

/** Writes `licenses.txt`, with the names, versions and licenses of these packages, and `sbom.json` (CycloneDX 1.6). */
export function writePackages(target) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  addInstalled(Object.keys(manifest.dependencies))
  const found = new Map()
  for (const each of directories) {
    const described = describe(each)
    found.set(`${described.name}@${described.version}`, described)
  }
  const packages = [...found.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
  writeFileSync(path.join(target, 'licenses.txt'), packages.map(notice).join(`\n${'-'.repeat(80)}\n\n`))
  writeFileSync(path.join(target, 'sbom.json'), `${JSON.stringify(sbom(manifest, packages), null, 2)}\n`)
}

/** Adds packages that are installed beside the bundle, with all that they need here. */
function addInstalled(names) {
  for (const each of names) {
    const directory = path.join(root, 'node_modules', each)
    if (directories.has(directory) || !existsSync(directory)) continue
    directories.add(directory)
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'))
    addInstalled(Object.keys({ ...dependencies, ...optionalDependencies }))
  }
}

function describe(directory) {
  const { name, version, license, author } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'))
  if (typeof license !== 'string') throw new Error(`${name} does not name its license`)
  const files = readdirSync(directory).filter((each) => /^(licen[cs]e|notice|copying)/i.test(each))
  const texts = files.sort().map((each) => readFileSync(path.join(directory, each), 'utf8').trim())
  return { name, version, license, author: typeof author === 'string' ? author : (author?.name ?? null), texts }
}

function notice({ name, version, license, author, texts }) {
  return `${[`${name} ${version} (${license})`, ...(texts.length === 0 && author !== null ? [`Copyright: ${author}`] : []), ...texts].join('\n\n')}\n`
}

/** Without a time and a random number, because two builds of one source are the same bytes. */
function sbom({ name, version, license }, packages) {
  const component = (each) => ({
    type: 'library',
    'bom-ref': purl(each),
    name: each.name,
    version: each.version,
    purl: purl(each),
    licenses: [/^[\w.+-]+$/.test(each.license) ? { license: { id: each.license } } : { expression: each.license }],
  })
  const own = {
    type: 'application',
    'bom-ref': purl({ name, version }),
    name,
    version,
    purl: purl({ name, version }),
    licenses: [{ license: { id: license } }],
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components: packages.map(component),
    dependencies: [{ ref: own['bom-ref'], dependsOn: packages.map(purl) }, ...packages.map((each) => ({ ref: purl(each), dependsOn: [] }))],
  }
}

/** See https://github.com/package-url/purl-spec: the @ of a scope is encoded. */
function purl({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
