import type { OpenQuestion } from '../egress/approvals/approval-schema.ts'
import { cellOrigin } from '../fleet/cell-name.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Agent } from '../fleet/store/agent-store.ts'
import type { Job } from '../fleet/store/job-records.ts'

/** A question from a cell that wants to reach a destination and waits for an answer. */
export interface CellQuestion extends Pick<OpenQuestion, 'id' | 'askedAt' | 'expiresAt'> {
  /** The job of the cell; null for any other cell. */
  readonly job: Job | null
  readonly agent: Agent | null
  /** The name of the cell. */
  readonly name: string
  /** The destination: host and port, or method and address. The cell chooses this text. */
  readonly subject: string
  /** The destination as a short phrase. */
  readonly wish: string
}

/** Returns the open questions of cells on this machine with their jobs, in the order in which they expire. */
export function cellQuestions(fleet: Pick<Fleet, 'agents' | 'jobs'>, open: readonly OpenQuestion[]): readonly CellQuestion[] {
  const all = open.map(({ id, cellName, askedAt, expiresAt, host, port, request }): CellQuestion => {
    const origin = cellOrigin(cellName)
    const job = origin.job === null ? null : fleet.jobs.get(origin.job)
    const agent = job?.agent == null ? null : fleet.agents.get(job.agent)
    const subject = request === null ? `${host}:${port}` : `${request.method} ${host}:${port}${request.path}`
    return { id, job, agent, name: cellName, subject, wish: request === null ? `connect to ${subject}` : subject, askedAt, expiresAt }
  })
  return all.sort((one, other) => one.expiresAt.localeCompare(other.expiresAt))
}
