import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { setModes } from './archive.ts'
import type { Processor } from './own-node.ts'
import { manifest, root, stageProgram, stageShare } from './stage.ts'

const architectures = { x64: 'amd64', arm64: 'arm64' } as const

const maintainer = 'Paddock maintainers <maintainers@paddock.invalid>'

/**
 * Writes the Debian package for a processor, with Node inside, and returns its path.
 * @param staging an empty directory
 * @param time seconds since 1970, for all entries
 */
export function debianPackage(
  staging: string,
  target: string,
  processor: Processor,
  { time, fast }: { readonly time: number; readonly fast: boolean },
): string {
  const tree = path.join(staging, 'tree')
  const { name, version } = manifest
  stageProgram(path.join(tree, 'usr/lib', name, 'package'), processor)
  stageShare(path.join(tree, 'usr/share'))
  mkdirSync(path.join(tree, 'usr/bin'))
  const start = readFileSync(path.join(root, 'packaging/paddock.sh'), 'utf8')
  // Until the package is configured, there is no directory of this version (see packaging/debian/postinst).
  const here = `here=/usr/lib/${name}/${version}\n[ -e "$here" ] || here=/usr/lib/${name}/package\n`
  writeFileSync(path.join(tree, 'usr/bin', name), start.replace(/^here=.*\nhere=.*\n/m, here), { mode: 0o755 })
  const documents = path.join(tree, 'usr/share/doc', name)
  const from = path.join(root, 'packaging/debian')
  mkdirSync(documents, { recursive: true })
  cpSync(path.join(from, 'copyright'), path.join(documents, 'copyright'))
  writeFileSync(path.join(documents, 'changelog.gz'), gzipSync(changelog(time), { level: 9 }))
  const manuals = path.join(tree, 'usr/share/man/man1')
  for (const each of readdirSync(manuals)) {
    writeFileSync(path.join(manuals, `${each}.gz`), gzipSync(readFileSync(path.join(manuals, each)), { level: 9 }))
    rmSync(path.join(manuals, each))
  }
  cpSync(path.join(from, 'lintian-overrides'), path.join(tree, 'usr/share/lintian/overrides', name))
  cpSync(path.join(root, 'packaging/apparmor'), path.join(tree, 'usr/share', name, 'apparmor'), { recursive: true })
  const unit = readFileSync(path.join(root, 'examples/fleet/paddock.service'), 'utf8').replace(
    /^ExecStart=\S+/m,
    'ExecStart=/usr/bin/paddock',
  )
  mkdirSync(path.join(tree, 'usr/lib/systemd/user'), { recursive: true })
  writeFileSync(path.join(tree, 'usr/lib/systemd/user/paddock.service'), unit)
  const control = path.join(tree, 'DEBIAN')
  mkdirSync(control)
  for (const each of ['postinst', 'prerm', 'postrm', 'triggers']) {
    writeFileSync(path.join(control, each), readFileSync(path.join(from, each), 'utf8').replaceAll('@VERSION@', version), {
      mode: each === 'triggers' ? 0o644 : 0o755,
    })
  }
  const fields = readFileSync(path.join(from, 'control'), 'utf8')
  const values = {
    VERSION: version,
    ARCHITECTURE: architectures[processor],
    MAINTAINER: maintainer,
    SIZE: String(kibibytes(path.join(tree, 'usr'))),
  }
  writeFileSync(
    path.join(control, 'control'),
    fields.replaceAll(/@([A-Z]+)@/g, (_, key: keyof typeof values) => values[key]),
  )
  setModes(tree)
  writeFileSync(path.join(control, 'md5sums'), checksums(tree), { mode: 0o644 })
  const file = path.join(target, `${name}_${version}_${architectures[processor]}.deb`)
  // Of one thread, because the bytes depend on the size of the threads' blocks.
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', ...(fast ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6', '--threads-max=1']), '--build', tree, file],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    },
  )
  return file
}

function changelog(time: number): string {
  const date = new Date(time * 1000).toUTCString().replace('GMT', '+0000')
  const { name, version } = manifest
  return `${name} (${version}) unstable; urgency=medium\n\n  * What changed: /usr/lib/${name}/package/CHANGELOG.md\n\n -- ${maintainer}  ${date}\n`
}

function files(directory: string): readonly string[] {
  const found = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  return found.map((each) => path.join(each.parentPath, each.name)).sort()
}

function kibibytes(directory: string): number {
  return files(directory).reduce((sum, each) => sum + Math.ceil(statSync(each).size / 1024), 0)
}

function checksums(tree: string): string {
  const md5 = (file: string): string => createHash('md5').update(readFileSync(file)).digest('hex')
  return files(path.join(tree, 'usr'))
    .map((each) => `${md5(each)}  ${path.relative(tree, each)}\n`)
    .join('')
}
