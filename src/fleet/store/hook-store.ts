import { randomBytes } from 'node:crypto'
import { PaddockError } from '../../base/errors.ts'
import { newId } from '../ids.ts'
import type { FleetDatabase } from './database.ts'
import type { EventLog } from './event-log.ts'

export interface HookWish {
  readonly name: string
  /** The id of the agent. */
  readonly agent: string
  /** The instruction that the agent gets with each delivery. */
  readonly prompt: string
}

export interface Hook extends HookWish {
  readonly id: string
  readonly createdAt: string
  readonly lastJob: string | null
  /** The reason why the last delivery led to no job, in one sentence, or null. */
  readonly problem: string | null
}

export interface Hooks {
  /**
   * Creates a hook. The secret is 256 random bits. It is stored in plain text, because it is needed to check signatures.
   * @throws PaddockError CONFLICT if the name is taken
   */
  create(wish: HookWish): { readonly hook: Hook; readonly secret: string }
  /** Returns the hook with this name or id. @throws PaddockError NOT_FOUND */
  find(nameOrId: string): Hook
  /** Returns the secret, or null if there is no such hook. */
  secret(id: string): string | null
  list(): readonly Hook[]
  used(id: string, job: string): void
  /** Records why a delivery led to no job. */
  refused(id: string, problem: string): void
  remove(id: string): void
}

const columns = 'id, name, agent_id AS agent, prompt, created_at AS createdAt, last_job AS lastJob, problem'
const most = 200

export function hookStore({ sql, transaction }: FleetDatabase, events: EventLog, now: () => Date = () => new Date()): Hooks {
  const find = (nameOrId: string): Hook => {
    const row =
      sql(`SELECT ${columns} FROM hooks WHERE id = ?`).get(nameOrId) ?? sql(`SELECT ${columns} FROM hooks WHERE name = ?`).get(nameOrId)
    if (row === undefined) throw new PaddockError('NOT_FOUND', `There is no hook ${nameOrId}.`, { hint: 'Run: paddock hook list' })
    return row as unknown as Hook
  }
  return {
    create({ name, agent, prompt }) {
      const [id, secret] = [newId('hook'), randomBytes(32).toString('base64url')]
      return transaction(() => {
        if (sql('SELECT 1 FROM hooks WHERE name = ?').get(name) !== undefined)
          throw new PaddockError('CONFLICT', `There is a hook named ${name} already.`, { hint: `Run: paddock hook delete ${name}` })
        if (Number(sql('SELECT count(*) AS count FROM hooks').get()?.['count']) >= most)
          throw new PaddockError('CONFLICT', `There are ${most} hooks, which is the maximum.`, { hint: 'Delete one' })
        sql('INSERT INTO hooks (id, name, agent_id, prompt, secret, created_at) VALUES (?, ?, ?, ?, ?, ?)').run(
          ...[id, name, agent, prompt, secret, now().toISOString()],
        )
        events.add({ kind: 'hook.created', agent, data: { id, name } })
        return { hook: find(id), secret }
      })
    },
    find,
    secret: (id) => (sql('SELECT secret FROM hooks WHERE id = ?').get(id)?.['secret'] as string | undefined) ?? null,
    list: () => sql(`SELECT ${columns} FROM hooks ORDER BY name LIMIT ${most}`).all() as unknown as Hook[],
    used: (id, job) => void sql('UPDATE hooks SET last_job = ?, problem = NULL WHERE id = ?').run(job, id),
    refused: (id, problem) => void sql('UPDATE hooks SET problem = ? WHERE id = ?').run(problem, id),
    remove(id) {
      transaction(() => {
        const { name, agent } = find(id)
        sql('DELETE FROM hooks WHERE id = ?').run(id)
        events.add({ kind: 'hook.deleted', agent, data: { id, name } })
      })
    },
  }
}
