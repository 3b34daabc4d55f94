import type { Job, JobQueue } from '../queue/queue.ts'

/**
 * Returns the name of the work tree of a job: the id of the first job of its conversation. A job that continues another, or follows a lost
 * one, therefore goes on in the same work tree.
 */
export async function worktreeName(job: Job, queue: Pick<JobQueue, 'get'>): Promise<string> {
  let first = job
  while (first.continues !== null) {
    const before = await queue.get(first.continues)
    if (before === null) return first.result?.worktree?.name ?? first.continues
    first = before
  }
  return first.id
}
