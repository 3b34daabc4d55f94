import { PaddockError } from '../../base/errors.ts'
import { newId } from '../ids.ts'
import { CronTimes } from '../schedules/cron.ts'
import type { FleetDatabase } from './database.ts'
import type { EventLog } from './event-log.ts'

/** The ways to treat times that passed while no server ran. `once`: one job for all of them. */
export const missedPolicies = ['once', 'skip'] as const
/** The ways to treat a time at which the job of an earlier time has not ended. */
export const overlapPolicies = ['skip', 'queue'] as const

export interface ScheduleWish {
  readonly name: string
  /** The id of the agent. */
  readonly agent: string
  /** The pattern with five fields; crontab(5). */
  readonly cron: string
  /** A name in the IANA time zone database: `Europe/Berlin`. */
  readonly zone: string
  readonly prompt: string
  readonly missed: (typeof missedPolicies)[number]
  readonly overlap: (typeof overlapPolicies)[number]
}

export interface Schedule extends ScheduleWish {
  readonly id: string
  readonly paused: boolean
  /** The next time, in milliseconds since the epoch; null if the schedule is paused, or has no further time. */
  readonly dueAt: number | null
  readonly lastJob: string | null
  /** The reason why the last time led to no job, in one sentence, or null. */
  readonly problem: string | null
  readonly createdAt: string
}

/** The handling of a due time. */
export interface Passed {
  /** The due time itself. */
  readonly due: number
  readonly next: number | null
  readonly job: string | null
  readonly problem: string | null
}

export interface Schedules {
  /** Creates a schedule. @throws PaddockError BAD_INPUT for the pattern, CONFLICT if the name is taken */
  create(wish: ScheduleWish): Schedule
  /** Replaces a schedule's settings. @throws PaddockError as `create` */
  edit(id: string, wish: ScheduleWish): Schedule
  /** Returns the schedule with this name or id. @throws PaddockError NOT_FOUND */
  find(nameOrId: string): Schedule
  list(): readonly Schedule[]
  pause(id: string, paused: boolean): Schedule
  remove(id: string): void
  /** Returns the schedules that are due, oldest first. */
  due(now: number, limit: number): readonly Schedule[]
  /** Returns the earliest due time of all schedules, or null. */
  nextDue(): number | null
  /** Advances to the next time, unless that was done before. */
  pass(id: string, passed: Passed): void
}

const columns = `id, name, agent_id AS agent, cron, zone, prompt, missed, overlap, paused, due_at AS dueAt, last_job AS lastJob, problem,
  created_at AS createdAt`
/** The kinds of a schedule's events, without the prefix. */
type ScheduleChange = 'created' | 'edited' | 'paused' | 'resumed' | 'due' | 'skipped' | 'deleted'

/** The most schedules, all of which fit into one list. */
const most = 200

export function scheduleStore({ sql, transaction }: FleetDatabase, events: EventLog, now: () => Date = () => new Date()): Schedules {
  const of = (row: unknown): Schedule => ({ ...(row as Schedule), paused: (row as { paused: number }).paused === 1 })
  const find = (nameOrId: string): Schedule => {
    const row =
      sql(`SELECT ${columns} FROM schedules WHERE id = ?`).get(nameOrId) ??
      sql(`SELECT ${columns} FROM schedules WHERE name = ?`).get(nameOrId)
    if (row === undefined) throw new PaddockError('NOT_FOUND', `There is no schedule ${nameOrId}.`, { hint: 'Run: paddock schedule list' })
    return of(row)
  }
  const tell = (kind: ScheduleChange, { id, name, agent }: Schedule, data: Readonly<Record<string, unknown>> = {}): void =>
    events.add({ kind: `schedule.${kind}`, agent, data: { id, name, ...data } })
  const refuseTaken = (name: string, id: string | null): void => {
    const other = sql('SELECT id FROM schedules WHERE name = ?').get(name)
    if (other !== undefined && other['id'] !== id)
      throw new PaddockError('CONFLICT', `There is a schedule named ${name} already.`, { hint: `Run: paddock schedule show ${name}` })
  }
  const dueAfterNow = ({ cron, zone }: Pick<Schedule, 'cron' | 'zone'>): number | null => new CronTimes(cron, zone).after(now().getTime())
  return {
    create(wish) {
      const due = dueAfterNow(wish)
      return transaction(() => {
        refuseTaken(wish.name, null)
        const count = Number(sql('SELECT count(*) AS count FROM schedules').get()?.['count'])
        if (count >= most) throw new PaddockError('CONFLICT', `There are ${most} schedules, which is the maximum.`, { hint: 'Delete one' })
        const id = newId('schedule')
        const { name, agent, cron, zone, prompt, missed, overlap } = wish
        sql(
          `INSERT INTO schedules (id, name, agent_id, cron, zone, prompt, missed, overlap, paused, due_at, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
        ).run(id, name, agent, cron, zone, prompt, missed, overlap, due, now().toISOString())
        const made = find(id)
        tell('created', made)
        return made
      })
    },
    edit(id, wish) {
      const due = dueAfterNow(wish)
      return transaction(() => {
        refuseTaken(wish.name, id)
        const { name, agent, cron, zone, prompt, missed, overlap } = wish
        sql(
          `UPDATE schedules SET name = ?, agent_id = ?, cron = ?, zone = ?, prompt = ?, missed = ?, overlap = ?,
             due_at = CASE WHEN paused = 1 THEN NULL ELSE ? END WHERE id = ?`,
        ).run(name, agent, cron, zone, prompt, missed, overlap, due, id)
        const edited = find(id)
        tell('edited', edited)
        return edited
      })
    },
    find,
    list: () => sql(`SELECT ${columns} FROM schedules ORDER BY name LIMIT ${most}`).all().map(of),
    pause(id, paused) {
      return transaction(() => {
        const due = paused ? null : dueAfterNow(find(id))
        const { changes } = sql('UPDATE schedules SET paused = ?1, due_at = ?2 WHERE id = ?3 AND paused <> ?1').run(paused ? 1 : 0, due, id)
        const found = find(id)
        if (changes > 0) tell(paused ? 'paused' : 'resumed', found)
        return found
      })
    },
    remove(id) {
      transaction(() => {
        const found = find(id)
        sql('DELETE FROM schedules WHERE id = ?').run(id)
        tell('deleted', found)
      })
    },
    due: (time, limit) => sql(`SELECT ${columns} FROM schedules WHERE due_at <= ? ORDER BY due_at LIMIT ?`).all(time, limit).map(of),
    nextDue() {
      const row = sql('SELECT due_at AS due FROM schedules WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1').get()
      return row === undefined ? null : Number(row['due'])
    },
    pass(id, { due, next, job, problem }) {
      transaction(() => {
        const { changes } = sql(
          'UPDATE schedules SET due_at = ?, last_job = coalesce(?, last_job), problem = ? WHERE id = ? AND due_at = ?',
        ).run(next, job, problem, id, due)
        if (changes > 0) tell(job === null ? 'skipped' : 'due', find(id), { due: new Date(due).toISOString(), job, problem })
      })
    },
  }
}
