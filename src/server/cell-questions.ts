import type { Fleet } from '../fleet/fleet.ts'
import type { Agent } from '../fleet/store/agents.ts'
import type { Job } from '../fleet/store/job-records.ts'
import { cellOrigin } from './cell-origins.ts'
import type { OwnCommand } from './own-command.ts'

/** A question from a cell that wants to reach a destination and waits for an answer. */
export interface CellQuestion {
  readonly id: string
  /** The job of the cell; null for any other cell. */
  readonly job: Job | null
  readonly agent: Agent | null
  /** The name of the cell. */
  readonly name: string
  /** The destination: host and port, or method and address. The cell chooses this text. */
  readonly subject: string
  /** The destination as a short phrase. */
  readonly wish: string
  readonly askedAt: string
  readonly expiresAt: string
}

/** Returns the questions of cells on this machine, in the order in which they expire. */
export async function cellQuestions(fleet: Pick<Fleet, 'agents' | 'jobs'>, command: OwnCommand): Promise<readonly CellQuestion[]> {
  const { open } = await command('approvals list')
  const all = open.map(async ({ id, cellName, askedAt, expiresAt, host, port, request }): Promise<CellQuestion> => {
    const origin = cellOrigin(cellName)
    const job = origin.job === null ? null : fleet.jobs.get(origin.job)
    const agent = job?.agent == null ? null : fleet.agents.get(job.agent)
    const subject = request === null ? `${host}:${port}` : `${request.method} ${host}:${port}${request.path}`
    return { id, job, agent, name: cellName, subject, wish: request === null ? `connect to ${subject}` : subject, askedAt, expiresAt }
  })
  return (await Promise.all(all)).sort((one, other) => one.expiresAt.localeCompare(other.expiresAt))
}
