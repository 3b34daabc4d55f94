import { listCopies } from '../../copy/all-copies.ts'
import { movedPaths } from '../../copy/applying/apply.ts'
import { copiesDirectory } from '../../copy/copy-host.ts'
import { holdCopy } from '../../copy/hold.ts'
import { credentialsHere } from '../../copy/in-play.ts'
import { isLink } from '../../copy/manifest.ts'
import { openCopy, recoveredLines } from '../../copy/open.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import { secretsIn } from '../../copy/reviewing/secrets.ts'
import { selectChanges } from '../../copy/reviewing/select.ts'
import { type TextDiff, textDiff } from '../../copy/reviewing/text-diff.ts'
import type { Finding } from '../../credentials/scan/finding.ts'
import { exitCodes } from '../../errors.ts'
import { maskSecrets } from '../../secrets/secret.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'
import { workingDirectory } from '../working-directory.ts'
import { cliCopyHost } from './copy-host.ts'
import { secretWords, shownLine } from './secret-lines.ts'

export interface ReviewOptions {
  readonly list?: boolean
  readonly whole?: boolean
  readonly stat?: boolean
  readonly json?: boolean
}

/** Lines of differences that a JSON answer holds; files beyond come without theirs. */
const mostJsonLines = 500_000

/** `paddock review`: what an agent made of a copy. */
export async function reviewCommand(words: readonly string[], options: ReviewOptions): Promise<number> {
  const host = cliCopyHost()
  const cwd = workingDirectory()
  if (options.list === true) return listed(copiesDirectory(host.paths), options)
  using copy = await holdCopy(words, host.paths, { cwd, command: 'paddock review' })
  const { record, place } = copy
  const { scan, base, recovered } = await openCopy(copy, host)
  for (const each of recoveredLines(record.id, recovered)) say(each)
  const { changes } = selectChanges(scan.changes, copy.words, { project: record.project, cwd })
  const moved = new Set(movedPaths(record.project, changes, base))
  const inPlay = credentialsHere(host)
  const { findings, notLooked } = await secretsIn(changes, place, record, inPlay, moved)
  const out = (line: string): boolean => process.stdout.write(`${printable(maskSecrets(line))}\n`)
  const shown: unknown[] = []
  let room = mostJsonLines
  const context = options.whole === true ? Number.MAX_SAFE_INTEGER : undefined
  for (const each of changes) {
    const diff =
      options.stat === true && options.json !== true
        ? null
        : await textDiff(each, record.project, place.tree, moved.has(each.path), context)
    if (options.json === true) {
      room -= diff?.kind === 'text' ? diff.lines.length : 0
      shown.push(asJson(each, diff, moved.has(each.path), options.stat !== true && room >= 0, findings.get(each.path) ?? []))
    } else {
      out(headOf(each, diff, moved.has(each.path), findings.get(each.path) ?? []))
      if (diff !== null) for (const line of diffLinesOf(each, diff, findings.get(each.path) ?? [])) out(line)
    }
  }
  if (options.json === true) {
    const { id, project, created, head, skipped, skippedCount, notes } = record
    const { leftOut, leftOutCount, ignoredCount } = scan
    const rest = { notSearched: notLooked, leftOut, leftOutCount, ignoredCount, skipped, skippedCount, notes: [...notes, ...scan.notes] }
    printJson({ schemaVersion: 1, id, project, created, head: head ?? null, tree: place.tree, changes: shown, ...rest })
    return exitCodes.done
  }
  if (changes.length === 0) out('nothing changed')
  for (const each of scan.leftOut.slice(0, 20)) out(`left out  ${each.path} · ${each.why}`)
  if (scan.leftOutCount > 20) out(`left out  ${scan.leftOutCount - 20} more`)
  if (scan.ignoredCount > 0) out(`left out  ${scan.ignoredCount} new files that git ignores`)
  for (const each of scan.notes.slice(0, 10)) out(`note  ${each}`)
  for (const each of notLooked.slice(0, 10)) out(`not searched for secrets  ${each.path} · ${each.why}`)
  say(`copy ${record.id} of ${record.project}: ${summary(changes, findings.size)}`)
  return exitCodes.done
}

/** `3 changes, 1 of them runs later on your machine`. */
export function summary(changes: readonly Change[], withSecrets = 0): string {
  const later = changes.filter((each) => each.runsLater !== null).length
  const all = changes.length === 0 ? 'nothing changed' : changes.length === 1 ? '1 file changed' : `${changes.length} files changed`
  const parts = [all]
  if (later > 0) parts.push(`${later} of them run${later === 1 ? 's' : ''} later on your machine`)
  if (withSecrets > 0) parts.push(`${withSecrets} of them hold${withSecrets === 1 ? 's' : ''} what looks like a secret`)
  return parts.join(', ')
}

async function listed(copies: string, options: ReviewOptions): Promise<number> {
  const { copies: all, unreadable } = await listCopies(copies)
  if (options.json === true) {
    const broken = unreadable.map(({ place, why }) => ({ id: place.id, directory: place.directory, why }))
    printJson({ schemaVersion: 1, copies: all.map(({ record, place }) => ({ ...record, tree: place.tree })), unreadable: broken })
    return exitCodes.done
  }
  for (const { record } of all) process.stdout.write(`${printable(`${record.id}  ${record.created}  ${record.project}`)}\n`)
  for (const { place, why } of unreadable) process.stdout.write(`${printable(`${place.id}  unreadable  ${place.directory} · ${why}`)}\n`)
  return exitCodes.done
}

const octal = (mode: number): string => mode.toString(8).padStart(4, '0')

function modes(change: Change): { readonly from: string; readonly to: string } | null {
  const { base, now } = change
  if (base === null || now === null || isLink(base) || isLink(now) || base.mode === now.mode) return null
  return { from: octal(base.mode), to: octal(now.mode) }
}

function headOf(change: Change, diff: TextDiff | null, moved: boolean, secrets: readonly Finding[]): string {
  const mode = modes(change)
  const { now } = change
  const parts = [`${change.kind.padEnd(9)} ${change.path}`]
  if (diff?.kind === 'text') parts.push(`+${diff.added} -${diff.removed}`)
  if (mode !== null) parts.push(`mode ${mode.from} → ${mode.to}`)
  else if (change.base === null && now !== null && !isLink(now) && (now.mode & 0o111) !== 0) parts.push(`executable (${octal(now.mode)})`)
  if (diff?.kind === 'binary') parts.push(`binary, ${now !== null && !isLink(now) ? `${now.size} bytes` : 'gone'}`)
  if (now !== null && isLink(now)) parts.push(`link → ${now.target}`)
  if (change.runsLater !== null) parts.push(`RUNS LATER: ${change.runsLater}`)
  if (secrets.length > 0) parts.push(`LOOKS LIKE A SECRET: ${secretWords(secrets)}`)
  if (moved) parts.push('BASE MOVED: the project has something else by now, so it cannot be applied')
  return parts.join(' · ')
}

function* diffLinesOf(change: Change, diff: TextDiff, secrets: readonly Finding[]): Generator<string> {
  if (diff.kind === 'too-large') yield '  too large to be shown'
  if (diff.kind === 'unreadable') yield '  cannot be read'
  if (diff.kind !== 'text') return
  yield change.base === null ? '--- /dev/null' : `--- a/${change.path}`
  yield change.now === null ? '+++ /dev/null' : `+++ b/${change.path}`
  let line = 0
  for (const { sign, text } of diff.lines) {
    if (sign === '@') line = Number(/\+(\d+)/.exec(text)?.[1] ?? 1)
    if (sign === '@') yield `@@ ${text} @@`
    else if (sign === 'end') yield `\\ ${text}`
    else if (sign === '-') yield `-${text}`
    else yield `${sign}${shownLine(text, line++, secrets)}`
  }
}

function asJson(change: Change, diff: TextDiff | null, moved: boolean, withLines: boolean, secrets: readonly Finding[]): unknown {
  const { path, kind, runsLater, now } = change
  return {
    path,
    kind,
    runsLater,
    baseMoved: moved,
    mode: modes(change),
    link: now !== null && isLink(now) ? now.target : null,
    content: diff?.kind ?? null,
    added: diff?.kind === 'text' ? diff.added : null,
    removed: diff?.kind === 'text' ? diff.removed : null,
    secrets,
    ...(withLines && diff?.kind === 'text' ? { diff: [...diffLinesOf(change, diff, secrets)].map(maskSecrets).join('\n') } : {}),
  }
}
