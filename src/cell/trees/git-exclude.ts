import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  ftruncateSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { blockFor, cutMark, withoutBlocks } from './exclude-block.ts'
import { repositoryOf } from './source-repository.ts'

const mostBytes = 1024 ** 2

/** A repository's list of ignored files, and the entries to add to it while a cell runs. */
export interface Exclusion {
  /** `info/exclude` in the git directory that all work trees of the repository share (git-rev-parse(1), `--git-path`). */
  readonly file: string
  readonly patterns: readonly string[]
}

/** Returns the lists to which inert entries are added, to hide them from git on the host. `trees`: those that the cell may write to. */
export function exclusionsFor(entries: readonly string[], trees: readonly string[]): readonly Exclusion[] {
  const found = new Map<string, string[]>()
  const known = new Map<string, WorkTree | null>()
  for (const each of entries) {
    const workTree = workTreeAround(path.dirname(each), trees, known)
    if (workTree === null) continue
    const relative = path.relative(workTree.root, each)
    if (relative.includes('\n') || relative.split('/').includes('.git')) continue
    const file = path.join(workTree.common, 'info/exclude')
    found.set(file, [...(found.get(file) ?? []), patternFor(relative)])
  }
  return [...found].map(([file, patterns]) => ({ file, patterns }))
}

interface WorkTree {
  readonly root: string
  readonly common: string
}

function workTreeAround(directory: string, trees: readonly string[], known: Map<string, WorkTree | null>): WorkTree | null {
  const before = known.get(directory)
  if (before !== undefined) return before
  const repository = repositoryOf(directory, trees)
  const above = path.dirname(directory)
  const found =
    repository !== null ? { root: directory, common: repository.common } : above === directory ? null : workTreeAround(above, trees, known)
  known.set(directory, found)
  return found
}

/** Returns a pattern for gitignore(5), anchored at the work tree, with bytes as latin1, like the file. */
function patternFor(relative: string): string {
  return Buffer.from(`/${relative.replace(/[\\*?[]| +$/g, (each) => each.replace(/./gs, '\\$&'))}`).toString('latin1')
}

/** Returns the file and its directory if they exist only for such additions, of this cell or others, or do not exist yet. */
export function madeFor({ file }: Exclusion, others: ReadonlySet<string>): readonly string[] {
  return [path.dirname(file), file].filter((each) => others.has(each) || lstatSync(each, { throwIfNoEntry: false }) === undefined)
}

/**
 * Adds the patterns to the file in place. Replacing the file would drop the read-only mount that running cells have on it (rename(2)).
 * A file that is not regular or not writable is left unchanged, and git then shows the entries.
 */
export function exclude({ file, patterns }: Exclusion, owner: string): void {
  attempt(() => {
    const isThere = lstatSync(path.dirname(file), { throwIfNoEntry: false }) !== undefined
    if (!isThere) inDirectory(path.dirname(file), make)
    inDirectory(file, (safe) => {
      const isNew = lstatSync(safe, { throwIfNoEntry: false }) === undefined
      inPlainFile(safe, isNew ? constants.O_CREAT | constants.O_EXCL : 0, (descriptor, text) => {
        const block = Buffer.from(blockFor(text, owner, patterns), 'latin1')
        try {
          if (writeSync(descriptor, block, 0, block.length, text.length) < block.length) ftruncateSync(descriptor, text.length)
        } catch (error) {
          ftruncateSync(descriptor, text.length)
          throw error
        }
        // The file is written through its descriptor, because a cell that may write to the directory could replace the file meanwhile.
        if (isNew && process.getuid?.() === 0) {
          const { uid, gid } = lstatSync(`${path.dirname(safe)}/.`)
          fchownSync(descriptor, uid, gid)
        }
      })
    })
  })
}

/** Removes the lines of an owner, or of every Paddock if `owner` is null. Lines that others added meanwhile are kept. */
export function removeExclusions(file: string, owner: string | null): void {
  attempt(() =>
    inDirectory(file, (safe) =>
      inPlainFile(safe, 0, (descriptor, text) => {
        const kept = withoutBlocks(text, owner)
        if (kept === text) return
        let same = 0
        while (same < kept.length && kept[same] === text[same]) same++
        // Between the two steps the file logically ends at the mark, which the next removal recognises.
        const rest = kept.slice(same)
        if (rest !== '') writeSync(descriptor, Buffer.from(rest + cutMark(owner ?? '0'), 'latin1'), 0, null, same)
        ftruncateSync(descriptor, kept.length)
      }),
    ),
  )
}

/** Returns true unless the file is a plain file whose whole content is such additions. */
export function isMoreThanAdditions(file: string): boolean {
  let more = true
  attempt(() => inDirectory(file, (safe) => inPlainFile(safe, 0, (_, text) => (more = withoutBlocks(text, null) !== ''))))
  return more
}

function make(directory: string): void {
  mkdirSync(directory)
  giveToOwnerOfParent(directory)
}

function giveToOwnerOfParent(file: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = lstatSync(`${path.dirname(file)}/.`)
  lchownSync(file, uid, gid)
}

/** Opens a plain file without following links. Skips a file with several hard links, because the others may be anywhere. */
function inPlainFile(file: string, flags: number, act: (descriptor: number, text: string) => void): void {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK | flags, 0o644)
  try {
    const facts = fstatSync(descriptor)
    if (!facts.isFile() || facts.nlink !== 1 || facts.size > mostBytes) return
    const bytes = Buffer.alloc(facts.size)
    act(descriptor, bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0)))
  } finally {
    closeSync(descriptor)
  }
}

/** Ignores file-system errors, because a cell should not fail for this. */
function attempt(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!/^E[A-Z0-9]+$/.test(codeOf(error) ?? '')) throw error
  }
}
