import { constants } from 'node:fs'
import { access, open, readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { MountWish } from '../cell/plan/spec.ts'
import type { Installation } from './adapter.ts'
import { isShim } from './shim-mark.ts'

/**
 * Returns directories to search for a program: those of PATH, then those of installers. Only absolute paths are included.
 * @param own directories of the agents' own installers, relative to the home.
 */
export function searchPath(pathVariable: string, home: string, own: readonly string[] = []): readonly string[] {
  const usual = ['.local/bin', ...own, '.bun/bin', '.volta/bin', '.npm-global/bin']
  const all = [
    ...pathVariable.split(path.delimiter),
    ...usual.map((each) => path.join(home, each)),
    '/usr/local/bin',
    '/opt/homebrew/bin',
    '/home/linuxbrew/.linuxbrew/bin',
  ]
  return [...new Set(all.filter((each) => path.isAbsolute(each)).map((each) => path.normalize(each)))]
}

/**
 * Finds a program in these directories, follows its links and shims to the real installation, and returns the paths that a cell must
 * see to run it. It never runs the program. Null: no directory contains it.
 */
export async function locateProgram(name: string, search: readonly string[]): Promise<Installation | null> {
  for (const directory of search) {
    const real = await resolveProgram(path.join(directory, name), name)
    if (real !== null) return await installationOf(real, search)
  }
  return null
}

/** Does the same for one file, which need not have the usual name. `search` is only for the Node that it may need. */
export async function locateFile(file: string, search: readonly string[]): Promise<Installation | null> {
  const real = await resolveProgram(file, path.basename(file))
  return real === null ? null : await installationOf(real, search)
}

/** Returns the file behind a candidate. Null if the file cannot be run, is a shim of Paddock, or is one that only a version manager can follow. */
async function resolveProgram(candidate: string, name: string): Promise<string | null> {
  const real = await executable(candidate)
  if (real === null) return null
  const base = path.basename(real)
  if (base === 'volta-shim') return await behindVolta(path.dirname(path.dirname(real)), name)
  if (base === 'mise' || base === 'asdf') return null
  const text = await beginning(real)
  // It would start this Paddock again, not the program.
  if (isShim(text)) return null
  return (await behindScript(real, text)) ?? real
}

async function executable(candidate: string): Promise<string | null> {
  try {
    const real = await realpath(candidate)
    if (!(await stat(real)).isFile()) return null
    await access(real, constants.X_OK)
    return real
  } catch {
    return null
  }
}

/** Returns the program of a package behind Volta, which stores it in `tools/image/packages/<package>/bin`. */
async function behindVolta(volta: string, name: string): Promise<string | null> {
  const packages = path.join(volta, 'tools/image/packages')
  for (const entry of await entriesOf(packages)) {
    const nested = entry.startsWith('@') ? await entriesOf(path.join(packages, entry)) : ['']
    for (const inner of nested) {
      const real = await executable(path.join(packages, entry, inner, 'bin', name))
      if (real !== null) return real
    }
  }
  return null
}

async function entriesOf(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(() => [])).slice(0, 1_000)
}

/**
 * Returns the file behind a small shell script. pnpm and others put such scripts in PATH to start a file below the script's directory. The file
 * becomes visible in the cell, and the script may be an agent's. So it must belong to a package, also behind links.
 */
async function behindScript(script: string, text: string): Promise<string | null> {
  if (!/^#!.*\b(?:ba|da)?sh\b/.test(text)) return null
  for (const [, target = ''] of text.matchAll(/"\$basedir\/([^"$\n]{1,400})"/g)) {
    if (!target.includes('node_modules/')) continue
    const real = await realpath(path.resolve(path.dirname(script), target)).catch(() => null)
    if (real?.includes('/node_modules/') === true && !real.endsWith('/node') && (await stat(real)).isFile()) return real
  }
  return null
}

async function beginning(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const buffer = Buffer.alloc(8_192)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function installationOf(program: string, search: readonly string[]): Promise<Installation> {
  const mounts: MountWish[] = [{ source: mountRoot(program), access: 'ro' }]
  const pathEntries: string[] = []
  if (/^#!.*\bnode\b/.test(await beginning(program))) {
    const node = await nodeDirectory(search)
    if (node !== null) {
      mounts.push({ source: node, access: 'ro' })
      pathEntries.push(node)
    }
  }
  return { program, mounts, pathEntries, version: await versionOf(program) }
}

/**
 * Returns the smallest path that contains a whole installation: the outermost `node_modules` (platform packages and pnpm's store are next
 * to the package), the version's directory of a Homebrew formula, or else only the file.
 */
function mountRoot(program: string): string {
  const packages = /^(.*?\/node_modules)\//.exec(program)
  if (packages?.[1] !== undefined) return packages[1]
  const formula = /^(.*\/(?:Cellar|Caskroom)\/[^/]+\/[^/]+)\//.exec(program)
  return formula?.[1] ?? program
}

/** Returns the directory of the Node that runs Paddock, which is new enough for any agent, or else of the first Node in PATH. */
async function nodeDirectory(search: readonly string[]): Promise<string | null> {
  const own = await executable(process.execPath)
  if (own !== null && path.basename(own) === 'node') return path.dirname(own)
  for (const directory of search) {
    const found = await executable(path.join(directory, 'node'))
    if (found !== null && path.basename(found) === 'node') return path.dirname(found)
  }
  return null
}

/** Returns the version from the package's `package.json`, or from the path, which contains it for native installers. */
async function versionOf(program: string): Promise<string | null> {
  const inPackage = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/@][^/]*)\//.exec(program)
  if (inPackage?.[1] !== undefined) {
    const text = await readFile(path.join(inPackage[1], 'package.json'), 'utf8').catch(() => '')
    return /"version"\s*:\s*"([^"\s]{1,64})"/.exec(text)?.[1] ?? null
  }
  return /\/(?:versions|Cellar\/[^/]+|Caskroom\/[^/]+)\/v?(\d+\.\d+[^/]*)(?:\/|$)/.exec(program)?.[1] ?? null
}
