import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchPackage } from './fetch-package.ts'
import { ownNode, type Processor } from './own-node.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly files: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

export const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest

const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

interface Locked {
  readonly version: string
  readonly integrity: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Pictures of the README and the guide. */
const left = new Set(['docs/pictures', 'dist/packages'])

/** Copies what every package contains to `target`: the files of the manifest, without pictures, and the manifest of a user. */
export function stageFiles(target: string): void {
  mkdirSync(target, { recursive: true })
  for (const each of manifest.files)
    cpSync(path.join(root, each), path.join(target, each), { recursive: true, filter: (file) => !left.has(path.relative(root, file)) })
  const readme = path.join(target, 'README.md')
  writeFileSync(readme, readFileSync(readme, 'utf8').replaceAll(/<picture>.*?<\/picture>\n\n/gs, ''))
  const { devDependencies: _, overrides: __, scripts: ___, ...published } = manifest as Manifest & Record<string, unknown>
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

/** Writes the program of a package with Node inside to `home`, for a processor. It starts with `bin/paddock`. */
export function stageProgram(home: string, processor: Processor): void {
  stageFiles(home)
  for (const [name, locked] of installed(processor))
    unpack(fetchPackage({ name, ...locked }), path.join(home, 'node_modules', name), ['--exclude=package/bin'])
  unpack(fetchPackage(ownNode[processor]), path.join(home, 'node'), ['package/bin/node', 'package/LICENSE'])
  copyFileSync(path.join(root, 'packaging/paddock.sh'), path.join(home, 'bin', manifest.name))
  chmodSync(path.join(home, 'bin', manifest.name), 0o755)
}

/** Writes manual pages and completions to where shells look for them, below `share`. */
export function stageShare(share: string): void {
  cpSync(path.join(root, 'dist/man'), path.join(share, 'man/man1'), { recursive: true })
  for (const [shell, file] of completions) {
    const target = path.join(share, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, execFileSync(process.execPath, [path.join(root, 'bin/paddock.mjs'), 'completion', shell]))
  }
}

const completions = [
  ['bash', 'bash-completion/completions/paddock'],
  ['zsh', 'zsh/site-functions/_paddock'],
  ['fish', 'fish/vendor_completions.d/paddock.fish'],
] as const

/** The packages that the bundle does not contain, with all that they need on this processor. */
function installed(processor: Processor): ReadonlyMap<string, Locked> {
  const found = new Map<string, Locked>()
  const take = (name: string): void => {
    const locked = lock.packages[`node_modules/${name}`]
    if (locked === undefined) throw new Error(`package-lock.json does not contain ${name}.`)
    if (found.has(name)) return
    found.set(name, locked)
    for (const each of Object.keys(locked.dependencies ?? {})) take(each)
  }
  for (const each of Object.keys(manifest.dependencies)) take(each)
  take(`@lydell/node-pty-linux-${processor}`)
  return found
}

/** Unpacks a package's archive. @param entries which entries, as tar takes them */
function unpack(archive: string, target: string, entries: readonly string[]): void {
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', target, '--strip-components=1', '--no-same-owner', ...entries])
}
