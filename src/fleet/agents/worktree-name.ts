import type { Job, Jobs } from '../store/job-records.ts'

/**
 * Returns the name of the work tree of a job: the id of the first job of its conversation. A job that continues another, or follows a lost
 * one, therefore goes on in the same work tree.
 */
export function worktreeName(job: Job, jobs: Pick<Jobs, 'get'>): string {
  let first = job
  while (first.continues !== null) {
    const before = jobs.get(first.continues)
    if (before === null) return first.result?.worktree?.name ?? first.continues
    first = before
  }
  return first.id
}
