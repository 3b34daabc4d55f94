import { dataOf } from '../../data.ts'
import { api } from '../../session.ts'

/** One file, as `paddock review --json` prints it. */
export interface Change {
  readonly path: string
  readonly kind: 'added' | 'modified' | 'deleted' | 'mode'
  readonly runsLater: string | null
  readonly baseMoved: boolean
  readonly mode: { readonly from: string; readonly to: string } | null
  readonly link: string | null
  readonly content: 'text' | 'binary' | 'too-large' | 'unreadable' | null
  readonly added: number | null
  readonly removed: number | null
  readonly secrets: readonly { readonly line: number | null; readonly what: string; readonly masked: string }[]
  /** In the unified format; what looks like a secret is masked. */
  readonly diff?: string
}

export interface Review {
  readonly project: string
  readonly changes: readonly Change[]
  readonly leftOutCount?: number
  readonly notes?: readonly string[]
}

/** A copy that was applied or discarded is gone, and has no changes. */
export async function loadReview(job: string): Promise<Review> {
  const answer = await api.GET('/api/v1/jobs/{job}/changes', { params: { path: { job } } })
  return answer.response.status === 404 ? { project: '', changes: [] } : (dataOf(answer) as unknown as Review)
}

/** What is ticked at first: whatever has no mark. */
export const isPlain = ({ runsLater, secrets, baseMoved }: Change): boolean => runsLater === null && secrets.length === 0 && !baseMoved

export interface DiffLine {
  readonly sign: ' ' | '+' | '-' | '@' | '\\'
  readonly text: string
  readonly before: number | null
  readonly after: number | null
}

/** Reads the unified format; its two lines of names are left out. */
export function linesOf(diff: string): readonly DiffLine[] {
  let [before, after] = [0, 0]
  const lines: DiffLine[] = []
  for (const [n, line] of diff.split('\n').entries()) {
    if (n < 2) continue
    const sign = (line[0] ?? ' ') as DiffLine['sign']
    const text = line.slice(1)
    if (sign === '@') {
      const found = /-(\d+)(?:,\d+)? \+(\d+)/.exec(line)
      ;[before, after] = [Number(found?.[1] ?? 1), Number(found?.[2] ?? 1)]
      lines.push({ sign, text: `lines from ${after}`, before: null, after: null })
    } else if (sign === '\\') lines.push({ sign, text: text.trim(), before: null, after: null })
    else
      lines.push({
        sign: sign === '+' || sign === '-' ? sign : ' ',
        text,
        before: sign === '+' ? null : before++,
        after: sign === '-' ? null : after++,
      })
  }
  return lines
}
