import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { lazily } from '../base/lazily.ts'
import { readRegularSync } from '../files/read-regular.ts'

export const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const mostPackedBytes = 64 * 1024 ** 2
const mostRefs = 20_000
const mostLoose = 5_000

/**
 * Returns the git directories of a repository's work trees: the main one first, then those of linked work trees (gitrepository-layout(5)).
 */
export function workTreeDirectories(git: string): readonly string[] {
  return [git, ...namesIn(path.join(git, 'worktrees')).map((each) => path.join(git, 'worktrees', each))]
}

/** Returns the text of the HEAD in a work tree's git directory. Empty if there is none. */
export function textOfHead(own: string): string {
  return readRegularSync(path.join(own, 'HEAD'), 4096) ?? ''
}

/** Returns the commits that are checked out in the work trees of a repository, as object IDs. Work trees without a commit are skipped. */
export function headsOf(git: string, textOf = textOfHead): readonly string[] {
  const packed = lazily(() => packedIn(git))
  return [...new Set(workTreeDirectories(git).flatMap((each) => headIn(textOf(each), git, packed) ?? []))]
}

/** Returns the commit that is checked out in one work tree; null if there is none. `own`: its git directory, `git`: the common one. */
export function headOf(own: string, git: string): string | null {
  return headIn(textOfHead(own), git, () => packedIn(git))
}

function headIn(text: string, git: string, packed: () => ReadonlyMap<string, string>): string | null {
  const head = text.trim()
  const ref = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1]
  const id = ref === undefined || ref.split('/').includes('..') ? head : read(path.join(git, ref)) || packed().get(ref) || ''
  return objectId.test(id) ? id : null
}

/**
 * Returns refs of a repository that were written since a time (milliseconds since the epoch), with their object IDs; null: there are too
 * many, or the packed ones cannot be read.
 */
export function refsSince(git: string, since: number): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>()
  if (changedSince(path.join(git, 'packed-refs'), since)) {
    const packed = readRegularSync(path.join(git, 'packed-refs'), mostPackedBytes)
    if (packed === null) return null
    for (const [ref, id] of packedRefs(packed)) found.set(ref, id)
  }
  const queue = ['refs']
  let seen = 0
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const each of namesIn(path.join(git, at))) {
      if (++seen > mostRefs) return null
      const ref = `${at}/${each}`
      const stat = lstatSync(path.join(git, ref), { throwIfNoEntry: false })
      if (stat?.isDirectory()) queue.push(ref)
      else if (stat !== undefined && stat.ctimeMs >= since) {
        const id = read(path.join(git, ref))
        if (objectId.test(id)) found.set(ref, id)
      }
    }
  }
  for (const each of workTreeDirectories(git)) {
    const id = changedSince(path.join(each, 'HEAD'), since) ? read(path.join(each, 'HEAD')) : ''
    if (objectId.test(id)) found.set(`${path.relative(path.dirname(git), each)}/HEAD`, id)
  }
  return found
}

/** All refs of a repository except the HEADs of its work trees. */
export interface RefsNow {
  /** Returns the object IDs by ref. */
  readonly ids: () => ReadonlyMap<string, string>
  /** False if there were too many loose refs to read all of them. */
  readonly isWhole: boolean
}

/** Reads the refs of a repository. Packed refs are parsed when they are needed. */
export function readRefs(git: string): RefsNow {
  const packed = readRegularSync(path.join(git, 'packed-refs'), mostPackedBytes) ?? ''
  const loose = new Map<string, string>()
  const queue = ['refs']
  let seen = 0
  for (let at = queue.pop(); at !== undefined && seen < mostLoose; at = queue.pop()) {
    for (const each of entriesIn(path.join(git, at))) {
      if (++seen >= mostLoose) break
      const ref = `${at}/${each.name}`
      if (each.isDirectory()) queue.push(ref)
      else if (each.isFile()) {
        const id = read(path.join(git, ref))
        if (objectId.test(id)) loose.set(ref, id)
      }
    }
  }
  return { ids: () => new Map([...packedRefs(packed), ...loose]), isWhole: seen < mostLoose }
}

/** Returns true for a file that was created or changed since a time. */
export function changedSince(file: string, since: number): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat !== undefined && stat.ctimeMs >= since
}

function packedIn(git: string): ReadonlyMap<string, string> {
  return packedRefs(readRegularSync(path.join(git, 'packed-refs'), mostPackedBytes) ?? '')
}

function packedRefs(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split('\n')
      .flatMap((each) =>
        [/^([0-9a-f]{40,64}) (refs\/\S+)$/.exec(each)].flatMap((found) =>
          found === null ? [] : [[found[2] ?? '', found[1] ?? ''] as const],
        ),
      ),
  )
}

function read(file: string): string {
  return readRegularSync(file, 4096)?.trim() ?? ''
}

function entriesIn(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
