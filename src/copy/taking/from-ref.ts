import { hash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { ownGit } from '../../cell/trees/own-git.ts'
import { hostSearchPath } from '../../system/host-program.ts'
import { isPlainPath } from '../copy-names.ts'
import type { Entry } from '../manifest.ts'

interface Listed {
  readonly path: string
  readonly mode: string
  readonly object: string
}

/** A commit, with the entries that were written and notes about entries that were not. */
export interface FilesOfCommit {
  readonly commit: string
  readonly entries: readonly Entry[]
  readonly notes: readonly string[]
}

/**
 * Writes the files of a commit into `target`, which must not exist, as they are stored: no filter, line ending or attribute is applied.
 * `tree` is a copy of the project with a git directory that Paddock wrote, so the project's configuration has no effect.
 * @throws PaddockError BAD_INPUT if `ref` names no commit, FILES_FAILED if an object is missing
 */
export async function filesOfCommit(
  ref: string,
  target: string,
  { project, tree, searchPath }: { readonly project: string; readonly tree: string; readonly searchPath: string },
): Promise<FilesOfCommit> {
  const places = { gitDirectory: path.join(tree, '.git'), workTree: tree, searchPath: hostSearchPath(searchPath, [project]) }
  const commit = await commitOf(ref, places)
  const listed = entriesIn(await ownGit(['ls-tree', '-r', '-z', '--full-tree', commit], places))
  const modules = listed.filter(({ mode }) => mode === '160000')
  const strange = listed.filter((each) => !isPlainPath(each.path))
  const taken = listed.filter((each) => isPlainPath(each.path) && each.mode !== '160000')
  mkdirSync(target)
  const contents = await contentsOf(taken, places)
  const entries: Entry[] = []
  // Links are written last, so that no file is written through one.
  for (const each of taken.toSorted((a, b) => Number(a.mode === '120000') - Number(b.mode === '120000'))) {
    const bytes = contents.get(each.object)
    if (bytes === undefined)
      throw new PaddockError('FILES_FAILED', `${each.path} of ${ref} is not in the repository.`, { hint: 'Fetch it: git fetch' })
    entries.push(put(path.join(target, each.path), each, bytes))
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  const notes = [
    ...(modules.length > 0 ? [`${some(modules)} not taken: submodules`] : []),
    ...(strange.length > 0 ? [`${some(strange)} not copied: the paths lead elsewhere`] : []),
  ]
  return { commit, entries, notes }
}

async function commitOf(ref: string, places: Parameters<typeof ownGit>[1]): Promise<string> {
  const found = ref.startsWith('-')
    ? ''
    : (await ownGit(['rev-parse', '--verify', '-q', `${ref}^{commit}`], places, { ok: [1, 128] })).toString().trim()
  if (/^[0-9a-f]{40,64}$/.test(found)) return found
  throw new PaddockError('BAD_INPUT', `--ref ${ref} is not a commit of this repository.`, { hint: 'Name a branch, a tag or a commit' })
}

function entriesIn(output: Buffer): Listed[] {
  return output
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', object = '', path = ''] = /^(\d{6}) \w+ ([0-9a-f]{40,64})\t(.+)$/s.exec(line) ?? []
      return path === '' || path.includes('\ufffd') ? [] : [{ path, mode, object }]
    })
}

/** Returns the contents of objects, by name (git-cat-file(1), "BATCH OUTPUT"). */
async function contentsOf(listed: readonly Listed[], places: Parameters<typeof ownGit>[1]): Promise<ReadonlyMap<string, Buffer>> {
  const names = [...new Set(listed.map(({ object }) => object))]
  const output = await ownGit(['cat-file', '--batch'], places, { input: Buffer.from(names.map((each) => `${each}\n`).join('')) })
  const found = new Map<string, Buffer>()
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at)
    const [name = '', , size] = output.subarray(at, end).toString('latin1').split(' ')
    at = end + 1
    if (size === undefined) continue
    found.set(name, output.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return found
}

function put(file: string, { path: name, mode }: Listed, bytes: Buffer): Entry {
  mkdirSync(path.dirname(file), { recursive: true })
  if (mode === '120000') {
    const target = bytes.toString('utf8')
    symlinkSync(target, file)
    return { path: name, target }
  }
  const bits = mode === '100755' ? 0o755 : 0o644
  writeFileSync(file, bytes, { flag: 'wx', mode: bits })
  return { path: name, mode: bits, size: bytes.length, sha256: hash('sha256', bytes) }
}

function some(listed: readonly Listed[]): string {
  const shown = listed.slice(0, 3).map((each) => each.path)
  return `${shown.join(', ')}${listed.length > shown.length ? ` and ${listed.length - shown.length} more` : ''}`
}
