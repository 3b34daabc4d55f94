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
import { inDirectory } from '../../files/in-directory.ts'
import { blockFor, cutMark, withoutBlocks } from './exclude-block.ts'
import { repositoryOf } from './source-repository.ts'

const mostBytes = 1024 ** 2

/** A repository's list of files that git ignores, and the entries to add to it while a cell runs. */
export interface Exclusion {
  /** `info/exclude` in the git directory that all work trees of the repository share (git-rev-parse(1), `--git-path`). */
  readonly file: string
  readonly patterns: readonly string[]
}

/** Where to add inert entries, so that git on the host does not see them. `trees`: what the cell may write to. */
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

/** gitignore(5): anchored at the work tree; bytes as latin1, like the file. */
function patternFor(relative: string): string {
  return Buffer.from(`/${relative.replace(/[\\*?[]| +$/g, (each) => each.replace(/./gs, '\\$&'))}`).toString('latin1')
}

/** What is only there for such additions, its own or those of other cells: the directory of the file and the file itself, if anything. */
export function madeFor({ file }: Exclusion, others: ReadonlySet<string>): readonly string[] {
  return [path.dirname(file), file].filter((each) => others.has(each) || lstatSync(each, { throwIfNoEntry: false }) === undefined)
}

/**
 * Adds the patterns in the file as it is: replacing it would take away the read-only mount that running cells have on it (rename(2)).
 * A file that is not plain, or cannot be written to, is left as it is, and git shows the entries.
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
        // By its descriptor: a cell that may write to the directory could give the name to another file meanwhile.
        if (isNew && process.getuid?.() === 0) {
          const { uid, gid } = lstatSync(`${path.dirname(safe)}/.`)
          fchownSync(descriptor, uid, gid)
        }
      })
    })
  })
}

/** Takes the owner's lines out again; null: those of every Paddock. What was added by others meanwhile stays. */
export function removeExclusions(file: string, owner: string | null): void {
  attempt(() =>
    inDirectory(file, (safe) =>
      inPlainFile(safe, 0, (descriptor, text) => {
        const kept = withoutBlocks(text, owner)
        if (kept === text) return
        let same = 0
        while (same < kept.length && kept[same] === text[same]) same++
        // Between the two steps the file ends at the mark, for the next one that takes the lines out.
        const rest = kept.slice(same)
        if (rest !== '') writeSync(descriptor, Buffer.from(rest + cutMark(owner ?? '0'), 'latin1'), 0, null, same)
        ftruncateSync(descriptor, kept.length)
      }),
    ),
  )
}

/** True for anything at the place of a list that was made for such additions that is not a plain file with nothing else in it. */
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

/** No link is followed, and a file with a second name is left alone: the other one may be anywhere. */
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

/** What the file system refuses is not worth a cell. */
function attempt(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!/^E[A-Z0-9]+$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
