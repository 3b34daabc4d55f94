import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { type DiffLine, splitLines, unified } from '../../copy/reviewing/text-diff.ts'
import { readContest } from '../config/brief.ts'
import { refuseLinkedRecords } from '../config/refuse-linked-records.ts'
import { neverRun } from '../run/stage.ts'
import { readStatus } from '../state/contest-state.ts'
import { openSide, type Side, type SideFile } from './side.ts'

/** The difference between two trees at one path. */
export interface FileDiff {
  readonly path: string
  readonly kind: 'added' | 'deleted' | 'modified' | 'mode'
  readonly old: SideFile | null
  readonly now: SideFile | null
  /** The kind of content. `changed`: the bytes differ from the sealed ones. */
  readonly content: 'text' | 'binary' | 'too-large' | 'changed' | 'same'
  /** The number of added lines; null unless `content` is text. */
  readonly added: number | null
  readonly removed: number | null
  readonly lines: readonly DiffLine[]
}

export interface TreeDiff {
  readonly a: string
  readonly b: string
  /** The number of files that are the same in both trees. */
  readonly same: number
  /** The differences, sorted by path. Each is read on demand. */
  readonly files: AsyncIterable<FileDiff>
}

const mostBytes = 2 * 1024 * 1024

/**
 * `contest diff`: compares two sealed submissions, or one with the files that participants started with (else raw/). Takes no lock and runs
 * nothing.
 */
export async function diffTrees<T>(directory: string, a: string, b: string, show: (diff: TreeDiff) => Promise<T>): Promise<T> {
  const { layout, raw, config } = await readContest(directory)
  await refuseLinkedRecords(layout)
  const status = await readStatus(layout)
  if (status === null) throw neverRun(directory)
  const given = config.start === undefined ? raw : path.join(layout.root, config.start)
  const context = { layout, given, round: status.round, participants: config.participants.map(({ name }) => name) }
  await using old = await openSide(a, context)
  await using now = await openSide(b, context)
  const paths = [...new Set([...old.files.keys(), ...now.files.keys()])].toSorted()
  const differing = paths.filter((path) => !isSame(old.files.get(path), now.files.get(path)))
  return await show({ a: old.name, b: now.name, same: paths.length - differing.length, files: each(differing, old, now) })
}

async function* each(paths: readonly string[], old: Side, now: Side): AsyncGenerator<FileDiff> {
  for (const path of paths) yield await fileDiff(path, old, now)
}

function isSame(a: SideFile | undefined, b: SideFile | undefined): boolean {
  return a?.sha256 === b?.sha256 && a?.executable === b?.executable
}

async function fileDiff(path: string, old: Side, now: Side): Promise<FileDiff> {
  const [a, b] = [old.files.get(path) ?? null, now.files.get(path) ?? null]
  const kind = a === null ? 'added' : b === null ? 'deleted' : a.sha256 === b.sha256 ? 'mode' : 'modified'
  const about = { path, kind, old: factsOf(a), now: factsOf(b) } as const
  const without = (content: FileDiff['content']): FileDiff => ({ ...about, content, added: null, removed: null, lines: [] })
  if (kind === 'mode') return without('same')
  if ([a, b].some((one) => one !== null && one.size > mostBytes)) return without('too-large')
  const [before, after] = [a === null ? Buffer.alloc(0) : await old.read(path), b === null ? Buffer.alloc(0) : await now.read(path)]
  if (before === null || after === null) return without('changed')
  if (![before, after].every((bytes) => isUtf8(bytes) && !bytes.includes(0))) return without('binary')
  const { added, removed, lines } = unified(splitLines(before.toString('utf8')), splitLines(after.toString('utf8')))
  return { ...about, content: 'text', added, removed, lines }
}

function factsOf(file: SideFile | null): SideFile | null {
  return file === null ? null : { sha256: file.sha256, size: file.size, executable: file.executable }
}
