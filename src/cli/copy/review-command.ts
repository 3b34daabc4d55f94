import { listCopies } from '../../copy/all-copies.ts'
import { movedPaths } from '../../copy/applying/apply-changes.ts'
import { credentialsHere } from '../../copy/copies-in-play.ts'
import { copiesDirectory } from '../../copy/copy-host.ts'
import type { ChangeResult } from '../../copy/copy-results.ts'
import { holdCopy } from '../../copy/hold-copy.ts'
import { openCopy, recoveredLines } from '../../copy/open-copy.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import type { Scan } from '../../copy/reviewing/scan.ts'
import { secretsIn } from '../../copy/reviewing/secrets.ts'
import { selectChanges } from '../../copy/reviewing/select-changes.ts'
import { textDiff } from '../../copy/reviewing/text-diff.ts'
import { maskSecrets } from '../../secrets/secret.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { say } from '../terminal/terminal-output.ts'
import { workingDirectory } from '../working-directory.ts'
import { cliCopyHost } from './command-copy-host.ts'
import { changeData, diffLinesOf, headOf } from './review-lines.ts'

export interface ReviewOptions {
  readonly path?: readonly string[]
  readonly list?: boolean
  readonly whole?: boolean
  readonly stat?: boolean
  readonly json?: boolean
}

/** Maximum number of diff lines in one answer. Further files are listed without a diff. */
const mostLines = 500_000

/** `paddock review`: shows an agent's changes in a copy. */
export async function reviewCommand(words: readonly string[], options: ReviewOptions): Promise<Answer<Result<'review'>>> {
  const host = cliCopyHost()
  const cwd = workingDirectory()
  if (options.list === true) return listed(copiesDirectory(host.paths))
  using copy = await holdCopy(words, host.paths, { cwd, command: 'paddock review' })
  const { record, place } = copy
  const { scan, base, recovered } = await openCopy(copy, host)
  for (const each of recoveredLines(record.id, recovered)) say(each)
  const { changes } = selectChanges(scan.changes, { project: record.project, cwd, words: copy.words, paths: options.path ?? [] })
  const moved = new Set(movedPaths(record.project, changes, base))
  const { findings, notLooked } = await secretsIn(changes, place, record, credentialsHere(host), moved)
  const shown: ChangeResult[] = []
  const lines: string[] = []
  let room = mostLines
  const context = options.whole === true ? Number.MAX_SAFE_INTEGER : undefined
  for (const each of changes) {
    const isMoved = moved.has(each.path)
    const secrets = findings.get(each.path) ?? []
    const diff = options.stat === true && options.json !== true ? null : await textDiff(each, record.project, place.tree, isMoved, context)
    room -= diff?.kind === 'text' ? diff.lines.length : 0
    if (options.json === true) shown.push(changeData(each, diff, isMoved, options.stat !== true && room >= 0, secrets))
    else {
      lines.push(headOf(each, diff, isMoved, secrets))
      if (diff !== null && room >= 0) lines.push(...diffLinesOf(each, diff, secrets))
    }
  }
  const { id, project, created, head, skipped, skippedCount, notes } = record
  const { leftOut, leftOutCount, ignoredCount } = scan
  const rest = { notSearched: [...notLooked], leftOut, leftOutCount, ignoredCount, skipped, skippedCount, notes: [...notes, ...scan.notes] }
  return {
    data: { schemaVersion: 1, id, project, created, head: head ?? null, tree: place.tree, changes: shown, ...rest },
    lines: [...lines, ...restLines(changes, scan, notLooked)].map(maskSecrets),
    notes: [
      ...(room < 0 ? ['the changes are too long to show at once; name files to see theirs'] : []),
      `copy ${id} of ${project}: ${summary(changes, findings.size)}`,
    ],
  }
}

function* restLines(
  changes: readonly Change[],
  scan: Scan,
  notLooked: readonly { readonly path: string; readonly why: string }[],
): Generator<string> {
  if (changes.length === 0) yield 'nothing changed'
  for (const each of scan.leftOut.slice(0, 20)) yield `left out  ${each.path} · ${each.why}`
  if (scan.leftOutCount > 20) yield `left out  ${scan.leftOutCount - 20} more`
  if (scan.ignoredCount > 0) yield `left out  ${scan.ignoredCount} new files that git ignores`
  for (const each of scan.notes.slice(0, 10)) yield `note  ${each}`
  for (const each of notLooked.slice(0, 10)) yield `not searched for secrets  ${each.path} · ${each.why}`
}

/** Returns a text such as `3 changes, 1 of them runs later on your machine`. */
export function summary(changes: readonly Change[], withSecrets = 0): string {
  const later = changes.filter((each) => each.runsLater !== null).length
  const all = changes.length === 0 ? 'nothing changed' : changes.length === 1 ? '1 file changed' : `${changes.length} files changed`
  const parts = [all]
  if (later > 0) parts.push(`${later} of them run${later === 1 ? 's' : ''} later on your machine`)
  if (withSecrets > 0) parts.push(`${withSecrets} of them contain${withSecrets === 1 ? 's' : ''} what looks like a secret`)
  return parts.join(', ')
}

async function listed(copies: string): Promise<Answer<Result<'review'>>> {
  const { copies: all, unreadable } = await listCopies(copies)
  return {
    data: {
      schemaVersion: 1,
      copies: all.map(({ record, place }) => ({ ...record, tree: place.tree })),
      unreadable: unreadable.map(({ place, why }) => ({ id: place.id, directory: place.directory, why })),
    },
    lines: [
      ...all.map(({ record }) => `${record.id}  ${record.created}  ${record.project}`),
      ...unreadable.map(({ place, why }) => `${place.id}  unreadable  ${place.directory} · ${why}`),
    ],
    notes: all.length + unreadable.length === 0 ? ['there is no copy'] : [],
  }
}
