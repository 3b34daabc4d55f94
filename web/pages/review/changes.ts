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

/** The difference of one file with all of its lines. */
export async function loadWhole(job: string, path: string): Promise<string> {
  const found = dataOf(
    await api.GET('/api/v1/jobs/{job}/changes/whole', { params: { path: { job }, query: { path } } }),
  ) as unknown as Review
  return found.changes.find((each) => each.path === path)?.diff ?? ''
}

/** What is ticked at first: whatever has no mark. */
export const isPlain = ({ runsLater, secrets, baseMoved }: Change): boolean => runsLater === null && secrets.length === 0 && !baseMoved
