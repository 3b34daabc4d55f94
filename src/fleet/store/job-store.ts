import { createHash } from 'node:crypto'
import { PaddockError } from '../../base/errors.ts'
import type { Allowance } from '../budgets/budget-allowance.ts'
import { budgetGiven } from '../budgets/job-budget.ts'
import { newId } from '../ids.ts'
import { type JobResult, jobResultSchema } from '../jobs/job.ts'
import { type ListedJob, listedResult } from '../jobs/listed-job.ts'
import type { FleetDatabase } from './database.ts'
import type { Episodes } from './episodes.ts'
import type { EventLog } from './event-log.ts'
import type { EventKind } from './fleet-event-kinds.ts'
import type { EndedJob, Job, Jobs, NewJob, RecentJob } from './job-records.ts'
import type { Leases } from './lease-store.ts'
import type { UsageStore, Used } from './usage-store.ts'

/** The number of characters of a prompt shown in lists. */
const promptStart = 200
/** The number of jobs that are kept in memory for lists. */
const mostListed = 1_000
/** The number of pages that are kept in memory, and the most jobs of one. */
const [mostPages, longestPage] = [50, 200]
/** SQL that matches literal text, not a pattern. */
const hasText = 'instr(lower(prompt_start), lower(?)) > 0'
const columns = `number, id, agent_id AS agent, state, slot, adapter, attempt, cancel_asked AS cancelAsked, prompt_start AS promptStart, requested_by AS requestedBy, by_owner AS byOwner, lease_id AS lease, continues, conversation, is_message AS isMessage, parent, idempotency_key AS idempotencyKey,
  created_at AS createdAt, started_at AS startedAt, ended_at AS endedAt, result, problem, to_apply AS toApply,
  (SELECT json_group_array(label) FROM job_labels WHERE job = number) AS labels`

/** Returns the queue in the fleet's database. */
export function jobStore(
  database: FleetDatabase,
  events: EventLog,
  {
    usage,
    episodes,
    leases,
  }: { readonly usage: Pick<UsageStore, 'add'>; readonly episodes: Pick<Episodes, 'add'>; readonly leases: Pick<Leases, 'add'> },
  now: () => Date = () => new Date(),
): Jobs {
  const { sql, transaction } = database
  /** The jobs that lists read since their last change. Reading and checking a row takes longer than everything else in a list. */
  const listed = new Map<number, ListedJob>()
  /** The pages that were read since the last change of any job. */
  const pages = new Map<string, readonly ListedJob[]>()
  database.onRow('jobs', (number) => {
    listed.delete(Number(number))
    pages.clear()
  })
  const listedJob = (number: number): ListedJob => {
    const known = listed.get(number)
    if (known !== undefined) return known
    const { result, ...job } = one('number = ?', number) as Job
    const made = { ...job, result: result === null ? null : listedResult(result) }
    if (listed.size >= mostListed) listed.clear()
    if (!database.inTransaction) listed.set(number, made)
    return made
  }
  const onUsed = (id: string, used: Used): void => {
    const { agent = null } = one('id = ?', id) ?? {}
    const lease = leaseAbove(id)
    if (agent !== null) usage.add(agent, used)
    if (lease !== null) leases.add(lease, used)
  }
  /** Returns the lease of a job, or of the nearest job above it that has one. */
  const leaseAbove = (id: string): string | null => {
    const row = sql(
      `WITH RECURSIVE above (lease, parent) AS (
         SELECT lease_id, parent FROM jobs WHERE id = ?
         UNION ALL
         SELECT jobs.lease_id, jobs.parent FROM above JOIN jobs ON jobs.id = above.parent)
       SELECT lease FROM above WHERE lease IS NOT NULL LIMIT 1`,
    ).get(id)
    return row === undefined ? null : String(row['lease'])
  }
  const onResult = (id: string, result: JobResult): void => {
    const { agent = null, lease = null } = one('id = ?', id) ?? {}
    if (agent === null || result.state === 'cancelled') return
    // The agent's work for the job of a borrower does not belong in its memory for others.
    if (leaseAbove(id) !== lease) return
    const prompt = sql('SELECT prompt FROM job_prompts WHERE job = (SELECT number FROM jobs WHERE id = ?)').get(id)?.['prompt']
    episodes.add(agent, lease, result, String(prompt ?? ''))
  }
  const one = (where: string, ...values: readonly (string | number)[]): Job | null => {
    const row = sql(`SELECT ${columns} FROM jobs WHERE ${where}`).get(...values)
    return row === undefined ? null : jobOf(row)
  }
  const told = (id: string, kind: EventKind, data: Readonly<Record<string, unknown>> = {}): Job => {
    const job = one('id = ?', id) as Job
    events.add({ kind, agent: job.agent, job: id, data: { state: job.state, ...data } })
    return job
  }
  /** Redirects messages that wait for one job to another job. */
  const passOn = (from: string, to: string): void => {
    sql("UPDATE jobs SET continues = ? WHERE continues = ? AND is_message = 1 AND state = 'queued'").run(to, from)
  }
  /** Returns the last message to a job, or to a message to it; else the job itself. Withdrawn messages do not count. */
  const lastInLine = (id: string): string => {
    const row = sql(
      `WITH RECURSIVE line (id, place) AS (
         VALUES (?, 0)
         UNION ALL
         SELECT jobs.id, place + 1 FROM line JOIN jobs ON jobs.continues = line.id AND jobs.is_message = 1
           AND NOT (jobs.state = 'cancelled' AND jobs.started_at IS NULL))
       SELECT id FROM line ORDER BY place DESC LIMIT 1`,
    ).get(id)
    return String(row?.['id'])
  }
  return {
    put(wish) {
      return transaction(() => {
        const { requestedBy, idempotencyKey } = wish
        const hash = hashOf(wish)
        if (idempotencyKey !== null) {
          const earlier = sql('SELECT id, request_hash AS hash FROM jobs WHERE requested_by = ? AND idempotency_key = ?').get(
            requestedBy,
            idempotencyKey,
          )
          if (earlier !== undefined) {
            if (earlier['hash'] !== hash)
              throw new PaddockError('CONFLICT', `The key ${idempotencyKey} was used for another job.`, {
                hint: 'Give each job a key of its own',
              })
            return { job: one('id = ?', String(earlier['id'])) as Job, isNew: false }
          }
        }
        const archived = sql('SELECT name FROM agents WHERE id = ? AND archived_at IS NOT NULL').get(wish.agent)
        if (archived !== undefined) throw new PaddockError('CONFLICT', `${String(archived['name'])} is archived.`)
        // The conversation that the job continues is in the earlier job's home.
        const continues = wish.continues !== null && wish.isMessage === true ? lastInLine(wish.continues) : wish.continues
        const before = continues === null ? null : one('id = ?', continues)
        const id = newId('job')
        const { lastInsertRowid: number } = sql(
          `INSERT INTO jobs (id, agent_id, for_any, state, attempt, prompt_start, requested_by, idempotency_key, request_hash, continues, conversation, is_message, created_at, slot, adapter, parent, limits, lease_id, by_owner)
           VALUES (?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          id,
          wish.agent,
          wish.agent === null ? 1 : 0,
          wish.attempt ?? 1,
          wish.prompt.slice(0, promptStart),
          requestedBy,
          idempotencyKey,
          hash,
          continues,
          wish.conversation,
          wish.isMessage === true ? 1 : 0,
          now().toISOString(),
          before?.slot ?? null,
          wish.conversation === null ? null : (before?.adapter ?? null),
          wish.parent ?? null,
          wish.limits === undefined ? null : JSON.stringify(wish.limits),
          wish.lease ?? before?.lease ?? null,
          wish.byOwner === true ? 1 : 0,
        )
        sql('INSERT INTO job_prompts (job, prompt) VALUES (?, ?)').run(number, wish.prompt)
        for (const each of new Set(wish.labels)) sql('INSERT INTO job_labels (job, label) VALUES (?, ?)').run(number, each)
        // Messages to a lost job go to the one that follows it.
        if (wish.continues !== null && (wish.attempt ?? 1) > 1) passOn(wish.continues, id)
        return { job: told(id, 'job.queued'), isNew: true }
      })
    },
    get: (id) => one('id = ?', id),
    prompt(id) {
      const row = sql('SELECT prompt FROM job_prompts WHERE job = (SELECT number FROM jobs WHERE id = ?)').get(id)
      return String(row?.['prompt'] ?? '')
    },
    list({ agent, state, lease, text }, { before, limit }) {
      const page = JSON.stringify([agent, state, lease, text, before, limit])
      const known = pages.get(page)
      if (known !== undefined) return known
      const wanted = { agent_id: agent, state, lease_id: lease }
      const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
      const where = [...given.map(([column]) => `${column} = ?`), ...(text === undefined ? [] : [hasText]), 'number < ?']
      const values = [...given.map(([, value]) => String(value)), ...(text === undefined ? [] : [text])]
      const rows = sql(`SELECT number FROM jobs WHERE ${where.join(' AND ')} ORDER BY number DESC LIMIT ?`)
      const found = rows.all(...values, before ?? Number.MAX_SAFE_INTEGER, limit).map(({ number }) => listedJob(Number(number)))
      if (pages.size >= mostPages) pages.clear()
      if (!database.inTransaction && found.length <= longestPage) pages.set(page, found)
      return found
    },
    claim(agent, used, leases = []) {
      return transaction(() => {
        const at = now()
        const next = sql(
          `SELECT min(number) AS number FROM (
             SELECT * FROM (SELECT number FROM jobs WHERE agent_id = ?1 AND state = 'queued' AND not_before <= ?2
               AND (slot IS NULL OR slot NOT IN (SELECT value FROM json_each(?4)))
               AND (lease_id IS NULL OR lease_id NOT IN (SELECT value FROM json_each(?5)))
               AND (is_message = 0 OR NOT EXISTS (SELECT 1 FROM jobs AS before WHERE before.id = jobs.continues AND before.ended_at IS NULL))
               ORDER BY number LIMIT 1)
             UNION ALL
             SELECT * FROM (SELECT number FROM jobs WHERE agent_id IS NULL AND state = 'queued' AND not_before <= ?2
               AND NOT EXISTS (SELECT 1 FROM job_labels WHERE job = number AND label NOT IN (SELECT value FROM json_each(?3)))
               ORDER BY number LIMIT 1))`,
        ).get(agent.id, at.getTime(), ...[agent.labels, used, leases].map((each) => JSON.stringify(each)))
        const number = next?.['number']
        if (typeof number !== 'number') return null
        sql(
          `UPDATE jobs SET (slot, adapter, conversation) = (SELECT slot, adapter, conversation FROM jobs AS before WHERE before.id = jobs.continues)
           WHERE number = ? AND is_message = 1`,
        ).run(number)
        sql(
          "UPDATE jobs SET state = 'running', agent_id = ?, slot = coalesce(slot, ?), adapter = coalesce(adapter, ?), started_at = ? WHERE number = ?",
        ).run(agent.id, firstFree(used), agent.adapter, at.toISOString(), number)
        const { id, slot } = one('number = ?', number) as Job
        return told(id, 'job.started', { slot })
      })
    },
    children: (id) => sql(`SELECT ${columns} FROM jobs WHERE parent = ? ORDER BY number`).all(id).map(jobOf),
    limits(id) {
      const text = sql('SELECT limits FROM jobs WHERE id = ?').get(id)?.['limits']
      return typeof text === 'string' ? (JSON.parse(text) as readonly Allowance[]) : []
    },
    orphans() {
      const rows = sql(
        `SELECT ${columns} FROM jobs WHERE parent IS NOT NULL AND ended_at IS NULL
           AND EXISTS (SELECT 1 FROM jobs AS above WHERE above.id = jobs.parent AND above.ended_at IS NOT NULL AND above.state <> 'done')
         UNION SELECT ${columns} FROM jobs WHERE state = 'queued' AND agent_id IN (SELECT id FROM agents WHERE archived_at IS NOT NULL)`,
      )
      return rows.all().map(jobOf)
    },
    change(id, prompt, byOwner = false) {
      return transaction(() => {
        const { changes } = sql("UPDATE jobs SET prompt_start = ?, by_owner = ? WHERE id = ? AND state = 'queued'").run(
          prompt.slice(0, promptStart),
          byOwner ? 1 : 0,
          id,
        )
        if (changes === 0) return null
        sql('UPDATE job_prompts SET prompt = ? WHERE job = (SELECT number FROM jobs WHERE id = ?)').run(prompt, id)
        return told(id, 'job.changed')
      })
    },
    giveBack(id, notBefore = 0) {
      transaction(() => {
        const { changes } = sql(
          `UPDATE jobs SET state = 'queued', agent_id = CASE for_any WHEN 1 THEN NULL ELSE agent_id END,
             slot = CASE WHEN continues IS NULL THEN NULL ELSE slot END, adapter = CASE WHEN conversation IS NULL THEN NULL ELSE adapter END,
             started_at = NULL, not_before = ? WHERE id = ? AND state IN ('running', 'waiting')`,
        ).run(notBefore, id)
        if (changes > 0) told(id, 'job.queued')
      })
    },
    note(id, state, why) {
      transaction(() => {
        const { changes } = sql(
          "UPDATE jobs SET state = ?1, problem = ?3 WHERE id = ?2 AND state IN ('running', 'waiting') AND state <> ?1",
        ).run(state, id, why ?? null)
        if (changes > 0) told(id, `job.${state}`)
      })
    },
    end(id, end, bytes = 0) {
      return transaction(() => {
        const [state, result, problem] = 'result' in end ? [end.result.state, end.result, null] : [end.state, null, end.problem]
        const used = 'result' in end ? end.result : (end.used ?? null)
        const usage = used?.usage ?? null
        const conversation = 'result' in end ? end.result.conversation : (end.conversation ?? null)
        const { changes } = sql(
          `UPDATE jobs SET state = ?, ended_at = ?, result = ?, problem = ?, conversation = coalesce(?, conversation), cost_usd = ?, tokens = ?, bytes = ?
           WHERE id = ? AND state IN ('running', 'waiting')`,
        ).run(
          state,
          result?.endedAt ?? now().toISOString(),
          result === null ? null : JSON.stringify(result),
          problem,
          conversation,
          used?.costUsd ?? null,
          usage === null ? null : Math.min(Number.MAX_SAFE_INTEGER, Math.round(usage.input + usage.output)),
          bytes,
          id,
        )
        if (changes > 0 && used !== null) onUsed(id, used)
        if (changes > 0 && result !== null) onResult(id, result)
        return changes === 0 ? null : told(id, 'job.ended', result === null ? {} : { outcome: result.outcome.kind })
      })
    },
    cancel(id) {
      return transaction(() => {
        const { changes } = sql("UPDATE jobs SET state = 'cancelled', ended_at = ? WHERE id = ? AND state = 'queued'").run(
          now().toISOString(),
          id,
        )
        if (changes > 0) {
          const job = told(id, 'job.ended')
          if (job.continues !== null) passOn(id, job.continues)
          return job
        }
        const asked = sql("UPDATE jobs SET cancel_asked = 1 WHERE id = ? AND state IN ('running', 'waiting') AND cancel_asked = 0").run(id)
        if (asked.changes > 0) return told(id, 'job.cancelling')
        return one("id = ? AND state IN ('running', 'waiting')", id)
      })
    },
    ended(after, limit) {
      const rows = sql(
        `SELECT number, id, agent_id AS agent, ended_at AS endedAt, bytes,
           result ->> '$.copy' AS copy, result ->> '$.worktree.directory' AS worktree FROM jobs
         WHERE ended_at IS NOT NULL AND (ended_at, number) > (?, ?)
           AND NOT EXISTS (SELECT 1 FROM jobs AS later WHERE later.continues = jobs.id AND later.ended_at IS NULL)
         ORDER BY ended_at, number LIMIT ?`,
      ).all(after?.endedAt ?? '', after?.number ?? 0, limit)
      return rows as unknown as readonly EndedJob[]
    },
    noteToApply(id, toApply) {
      transaction(() => {
        const { changes } = sql('UPDATE jobs SET to_apply = ?1 WHERE id = ?2 AND to_apply IS NOT ?1').run(toApply, id)
        if (changes > 0) told(id, 'job.changed')
      })
    },
    bytes() {
      return Number(sql("SELECT value FROM totals WHERE name = 'bytes'").get()?.['value'] ?? 0)
    },
    remove(id) {
      transaction(() => {
        const job = one('id = ? AND ended_at IS NOT NULL', id)
        if (job === null) return
        sql('DELETE FROM jobs WHERE id = ?').run(id)
        events.add({ kind: 'job.removed', agent: job.agent, job: id })
      })
    },
    inHand() {
      return sql(`SELECT ${columns} FROM jobs WHERE state IN ('running', 'waiting') ORDER BY number`).all().map(jobOf)
    },
    queued() {
      const rows = sql(
        "SELECT agent_id AS agent, count(*) AS jobs FROM jobs WHERE state = 'queued' AND agent_id IS NOT NULL GROUP BY agent_id",
      ).all()
      return new Map(rows.map(({ agent, jobs }) => [String(agent), Number(jobs)]))
    },
    unfinished() {
      const rows = sql(
        "SELECT agent_id AS agent, state, count(*) AS jobs FROM jobs WHERE state IN ('queued', 'running', 'waiting') GROUP BY agent_id, state",
      ).all()
      return rows as unknown as ReturnType<Jobs['unfinished']>
    },
    oldestQueued() {
      const row = sql("SELECT min(created_at) AS at FROM jobs WHERE state = 'queued'").get()
      return row?.['at'] == null ? null : String(row['at'])
    },
    recent(agent, limit) {
      const rows = sql(
        `SELECT id, state, prompt_start AS promptStart, started_at AS startedAt, ended_at AS endedAt, result ->> '$.outcome' AS outcome
           FROM jobs WHERE agent_id = ? AND started_at IS NOT NULL ORDER BY number DESC LIMIT ?`,
      ).all(agent, limit)
      return rows.map((row) => ({ ...row, outcome: row['outcome'] === null ? null : JSON.parse(String(row['outcome'])) }) as RecentJob)
    },
    wanted() {
      const rows = sql("SELECT DISTINCT agent_id AS agent FROM jobs WHERE state = 'queued'").all()
      return { agents: rows.flatMap(({ agent }) => (agent === null ? [] : [String(agent)])), any: rows.some(({ agent }) => agent === null) }
    },
  }
}

function firstFree(used: readonly number[]): number {
  let slot = 1
  while (used.includes(slot)) slot += 1
  return slot
}

/** Returns a hash that is equal for equal requests. */
function hashOf({ agent, labels, prompt, continues, isMessage = false, limits = [] }: NewJob): string {
  // When a job repeats a delegation, less of its budgets is left, so only the given budget counts.
  const budget = budgetGiven(limits)
  return createHash('sha256')
    .update(
      JSON.stringify([
        ...[agent, [...new Set(labels)].sort(), prompt, continues],
        ...(isMessage ? ['message'] : []),
        ...(budget === null ? [] : [{ budget }]),
      ]),
    )
    .digest('hex')
}

function jobOf(row: Record<string, unknown>): Job {
  const { labels, result, cancelAsked, isMessage, byOwner, ...rest } = row
  return {
    ...rest,
    cancelAsked: cancelAsked === 1,
    isMessage: isMessage === 1,
    byOwner: byOwner === 1,
    labels: JSON.parse(String(labels)) as string[],
    // An older version may have written it, without the keys that have defaults.
    result: result === null ? null : jobResultSchema.parse(JSON.parse(String(result))),
  } as unknown as Job
}
