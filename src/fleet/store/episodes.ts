import { PaddockError } from '../../base/errors.ts'
import type { JobResult } from '../jobs/job.ts'
import type { FleetDatabase } from './database.ts'

/** An agent's memory of one job. */
export interface Episode {
  readonly job: string
  /** The time of the job's end, in ISO 8601. */
  readonly at: string
  readonly state: JobResult['state']
  /** The start of the job's prompt. */
  readonly prompt: string
  readonly answer: string
  /** The name of the agent that the memory was inherited from; null if it is the agent's own. */
  readonly origin: string | null
}

export interface Episodes {
  /** Adds an episode within the transaction of a job's end. `lease`: the id of the lease that owns the memory; null for the agent's own. */
  add(agent: string, lease: string | null, result: JobResult, prompt: string): void
  /** Returns the episodes of a lease or of the agent itself, newest first. */
  list(agent: string, limit: number, lease?: string | null): readonly Episode[]
  /** Copies the memory of another agent, without that of leases, within the transaction of the agent's creation. */
  inherit(agent: string, from: { readonly id: string; readonly name: string }): void
  /** Deletes the memory of a job. @throws PaddockError NOT_FOUND */
  forget(agent: string, job: string): void
  forgetAll(agent: string): void
}

/** The longest stored prompt and answer, in characters. */
const [longestPrompt, longestAnswer] = [500, 2_000]
export const mostEpisodes = 200

export function episodeStore({ sql, transaction }: FleetDatabase): Episodes {
  return {
    add(agent, lease, { job, endedAt, state, text }, prompt) {
      sql('INSERT OR REPLACE INTO episodes (agent_id, at, job, state, prompt, answer, lease_id) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
        ...[agent, endedAt, job, state, prompt.slice(0, longestPrompt), text.slice(0, longestAnswer), lease],
      )
      sql(
        `DELETE FROM episodes WHERE agent_id = ?1 AND lease_id IS ?2 AND at <
           (SELECT at FROM episodes WHERE agent_id = ?1 AND lease_id IS ?2 ORDER BY at DESC LIMIT 1 OFFSET ${mostEpisodes - 1})`,
      ).run(agent, lease)
    },
    list: (agent, limit, lease = null) =>
      sql(
        'SELECT job, at, state, prompt, answer, origin FROM episodes WHERE agent_id = ? AND lease_id IS ? ORDER BY at DESC, job DESC LIMIT ?',
      ).all(agent, lease, limit) as unknown as Episode[],
    inherit(agent, { id, name }) {
      sql(
        `INSERT INTO episodes (agent_id, at, job, state, prompt, answer, origin)
         SELECT ?1, at, job, state, prompt, answer, coalesce(origin, ?2) FROM episodes WHERE agent_id = ?3 AND lease_id IS NULL`,
      ).run(agent, name, id)
    },
    forget(agent, job) {
      transaction(() => {
        const { changes } = sql('DELETE FROM episodes WHERE agent_id = ? AND job = ?').run(agent, job)
        if (changes === 0)
          throw new PaddockError('NOT_FOUND', `The agent remembers no job ${job}.`, { hint: 'Run: paddock memory list NAME' })
      })
    },
    forgetAll: (agent) => void transaction(() => sql('DELETE FROM episodes WHERE agent_id = ?').run(agent)),
  }
}
