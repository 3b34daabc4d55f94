import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { AuditLine } from '../../audit/line.ts'
import { resolvePaths } from '../../base/paths.ts'

/** A kind of values that only this machine knows. */
export type ValueKind = 'cells' | 'logged-cells' | 'copies' | 'contests' | 'ended-work'

/** The most directories that are searched for contests, so that completion is quick in any directory. */
const mostDirectories = 500
/** The most lines of the audit log whose ids are completed. They are the newest ones. */
const mostLines = 2_000

const sources: Readonly<Record<ValueKind, (word: string) => readonly string[] | Promise<readonly string[]>>> = {
  cells,
  'logged-cells': async () => (await logged('cell.launch')).map(({ cell }) => cell ?? ''),
  copies,
  contests,
  'ended-work': async (word) => [...contests(word), ...(await endedWork())],
}

/** Returns the values of a kind that can complete a word. */
export async function valuesOf(kind: string, word: string): Promise<readonly string[]> {
  const values = Object.hasOwn(sources, kind) ? await sources[kind as ValueKind](word) : []
  return [...new Set(values)].filter((each) => each !== '' && each.startsWith(word) && !/\p{Cc}/u.test(each))
}

async function cells(): Promise<readonly string[]> {
  const { openCells } = await import('../../host.ts')
  return (await openCells(resolvePaths(process.env), process.env).running()).map(({ record }) => record.id)
}

async function copies(): Promise<readonly string[]> {
  const [{ listCopies }, { copiesDirectory }] = await Promise.all([import('../../copy/all-copies.ts'), import('../../copy/copy-host.ts')])
  return (await listCopies(copiesDirectory(resolvePaths(process.env)))).copies.map(({ place }) => place.id)
}

/** Returns the newest lines of these kinds in the audit log. */
async function logged(kind: string): Promise<readonly AuditLine[]> {
  const [{ newestLines }, { auditDirectory }] = await Promise.all([import('../../audit/read-log.ts'), import('../audit/audit-command.ts')])
  return newestLines(auditDirectory(), { kind }, mostLines).lines
}

/** Returns the ids of cells and jobs that ended, and of applied copies. A job with a running cell has not ended. */
async function endedWork(): Promise<readonly string[]> {
  const [{ cellOrigin }, lines] = await Promise.all([import('../../fleet/cell-name.ts'), logged('cell.launch,cell.end,copy.applied')])
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  const ended = new Set(lines.flatMap(({ kind, cell = '' }) => (kind === 'cell.end' ? [cell] : [])))
  const launches = lines.filter(({ kind }) => kind === 'cell.launch')
  const jobs = Map.groupBy(launches, ({ data }) => cellOrigin(textOf(data['name'])).job ?? '')
  return [
    ...ended,
    ...lines.flatMap(({ kind, data }) => (kind === 'copy.applied' ? [textOf(data['copy'])] : [])),
    ...[...jobs].flatMap(([job, cells]) => (cells.every(({ cell = '' }) => ended.has(cell)) ? [job] : [])),
  ]
}

/** Returns the contests in the directory of the word, and in the directories of that one. */
function contests(word: string): readonly string[] {
  const start = word.slice(0, word.lastIndexOf('/') + 1)
  let left = mostDirectories
  const below = (at: string): string[] => directoriesIn(at).flatMap((name) => (left-- > 0 ? [`${at}${name}/`] : []))
  const first = below(start)
  return [...first, ...first.flatMap(below)].filter((each) => existsSync(path.join(each, 'contest.yaml'))).map((each) => each.slice(0, -1))
}

function directoriesIn(at: string): readonly string[] {
  try {
    return readdirSync(at === '' ? '.' : at, { withFileTypes: true })
      .filter((each) => each.isDirectory() && !each.name.startsWith('.') && each.name !== 'node_modules')
      .map((each) => each.name)
  } catch {
    return []
  }
}
