import type { components } from '../../../src/client/api.ts'
import { dataOf } from '../../data.ts'
import { api } from '../../session.ts'

type Whole = components['schemas']['Review']
/** One file, as `paddock review --json` prints it. */
export type Change = Whole['changes'][number]
export type Review = Pick<Whole, 'project' | 'changes'> & Partial<Pick<Whole, 'leftOutCount' | 'notes'>>

/** A copy that was applied or discarded is gone, and has no changes. */
export async function loadReview(job: string): Promise<Review> {
  const answer = await api.GET('/api/v1/jobs/{job}/changes', { params: { path: { job } } })
  return answer.response.status === 404 ? { project: '', changes: [] } : dataOf(answer)
}

/** The difference of one file with all of its lines. */
export async function loadWhole(job: string, path: string): Promise<string> {
  const found = dataOf(await api.GET('/api/v1/jobs/{job}/changes/whole', { params: { path: { job }, query: { path } } }))
  return found.changes.find((each) => each.path === path)?.diff ?? ''
}

/** What is ticked at first: whatever has no mark. */
export const isPlain = ({ runsLater, secrets, baseMoved }: Change): boolean => runsLater === null && secrets.length === 0 && !baseMoved
