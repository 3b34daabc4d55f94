import type { components } from '../../../src/client/api.ts'
import { dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'

type Whole = components['schemas']['Review']
/** One file in the output of `paddock review --json`. */
export type Change = Whole['changes'][number]
export type Review = Pick<Whole, 'project' | 'changes'> & Partial<Pick<Whole, 'leftOutCount' | 'notes'>>

/** Loads a review. A copy that was applied or discarded no longer exists, so its review has no changes. */
export async function loadReview(job: string): Promise<Review> {
  const answer = await api.GET('/api/v1/jobs/{job}/changes', { params: { path: { job } } })
  return answer.response.status === 404 ? { project: '', changes: [] } : dataOf(answer)
}

/** Returns the diff of one file with all of its lines. */
export async function loadWhole(job: string, path: string): Promise<string> {
  const found = dataOf(await api.GET('/api/v1/jobs/{job}/changes/whole', { params: { path: { job }, query: { path } } }))
  return found.changes.find((each) => each.path === path)?.diff ?? ''
}

/** Returns whether a change is ticked at first. Changes without marks are. */
export const isPlain = ({ runsLater, secrets, baseMoved }: Change): boolean => runsLater === null && secrets.length === 0 && !baseMoved
