import type { JobResult } from '../../src/fleet/jobs/job.ts'

/** Returns the result of a job with nothing special about it. */
export function resultOf(job: string, more: Partial<JobResult> = {}): JobResult {
  return {
    ...{ schemaVersion: 1, job, state: 'done', text: 'answer', conversation: 'c-1', changes: null, copy: null, worktree: null, notes: [] },
    outcome: { kind: 'ran', exitCode: 0, message: null, hint: null, resetsAt: null },
    ...{ usage: { input: 3, output: 4, cachedInput: 0, model: null }, costUsd: 0.5, toolCalls: 0, turns: 0, cellMs: 0 },
    ...{ startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:01.000Z' },
    ...more,
  }
}
