import type { ChangeResult } from '../../copy/copy-results.ts'
import { isLink } from '../../copy/manifest.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import type { TextDiff } from '../../copy/reviewing/text-diff.ts'
import type { Finding } from '../../credentials/scan/secret-finding.ts'
import { maskSecrets } from '../../secrets/secret.ts'
import { secretWords, shownLine } from './secret-lines.ts'

const octal = (mode: number): string => mode.toString(8).padStart(4, '0')

function modes(change: Change): { readonly from: string; readonly to: string } | null {
  const { base, now } = change
  if (base === null || now === null || isLink(base) || isLink(now) || base.mode === now.mode) return null
  return { from: octal(base.mode), to: octal(now.mode) }
}

/** Returns one change as one line. */
export function headOf(change: Change, diff: TextDiff | null, moved: boolean, secrets: readonly Finding[]): string {
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
  if (moved) parts.push('BASE MOVED: the project has changed here since, so it cannot be applied')
  return parts.join(' · ')
}

/** Yields the unified diff of a change. */
export function* diffLinesOf(change: Change, diff: TextDiff, secrets: readonly Finding[]): Generator<string> {
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

/** Returns one change as data. */
export function changeData(
  change: Change,
  diff: TextDiff | null,
  moved: boolean,
  withLines: boolean,
  secrets: readonly Finding[],
): ChangeResult {
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
    secrets: [...secrets],
    ...(withLines && diff?.kind === 'text' ? { diff: [...diffLinesOf(change, diff, secrets)].map(maskSecrets).join('\n') } : {}),
  }
}
