import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { budgetSchema } from '../../config/budget.ts'
import { allowanceSchema } from '../budgets/budget-allowance.ts'
import { idPatterns } from '../ids.ts'
import { jobResultSchema, jobStates } from '../jobs/job.ts'
import { topicsSchema } from '../leases/topics.ts'
import { manifestSchema } from '../manifest/manifest-schema.ts'
import type { FleetDatabase } from '../store/database.ts'
import { migrations } from '../store/migrations.ts'
import { missedPolicies, overlapPolicies } from '../store/schedule-store.ts'
import { roles } from '../store/token-store.ts'
import { outcomeStates } from '../store/webhook-outcomes.ts'

/** Returns a column that has a value of this type as JSON. */
function json(schema: z.ZodType) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)
}
const id = (kind: keyof typeof idPatterns) => z.string().regex(idPatterns[kind])
const time = z.iso.datetime()
const snowflake = z.string().regex(/^\d{1,20}$/)

/** The columns that the code trusts beyond the types that SQLite keeps: they name directories, hold JSON, or are one of some words. */
const rows = {
  agents: z.object({
    id: id('agent'),
    manifest: json(manifestSchema),
    waiting: json(z.object({ manifest: manifestSchema, by: z.string(), at: time })).nullable(),
  }),
  jobs: z.object({
    id: id('job'),
    state: z.enum(jobStates),
    slot: z.int().min(1).nullable(),
    limits: json(z.array(allowanceSchema)).nullable(),
    result: json(jobResultSchema).nullable(),
    created_at: time,
  }),
  events: z.object({ at: time, data: json(z.record(z.string(), z.unknown())) }),
  tokens: z.object({ id: id('token'), role: z.enum(roles), expires_at: time.nullable() }),
  sessions: z.object({ role: z.enum(roles) }),
  schedules: z.object({ missed: z.enum(missedPolicies), overlap: z.enum(overlapPolicies) }),
  leases: z.object({
    expires_at: time,
    terms: json(
      z.object({
        budget: budgetSchema.optional(),
        tools: z.array(z.string()).optional(),
        topics: topicsSchema.optional(),
        terminal: z.literal('type').optional(),
      }),
    ),
  }),
  webhooks: z.object({ kinds: json(z.array(z.string())) }),
  webhook_outcomes: z.object({ state: z.enum(outcomeStates) }),
  episodes: z.object({ state: z.enum(jobStates) }),
  discord: z.object({ session: json(z.object({ id: z.string(), sequence: z.number(), url: z.string() })).nullable() }),
  discord_channels: z.object({ id: snowflake, users: json(z.array(snowflake)), read_to: snowflake }),
  discord_posts: z.object({ about: json(z.object({ job: z.string(), question: z.string().optional() })).nullable() }),
} satisfies Readonly<Record<string, z.ZodObject>>

/** Returns what is wrong with a database that was restored, in one clause; null if it is as Paddock writes it. */
export function databaseProblem({ sql }: Pick<FleetDatabase, 'sql'>): string | null {
  const [foreign] = differences(
    schemaOf((text) => sql(text).all()),
    freshSchema(),
  )
  if (foreign !== undefined) return `its database has ${foreign}`
  // This also compares each value with the type of its column.
  const found = String(sql('PRAGMA integrity_check(1)').get()?.['integrity_check'])
  if (found !== 'ok') return `its database is damaged: ${found.slice(0, 200)}`
  const dangling = sql('PRAGMA foreign_key_check').get()
  if (dangling !== undefined) return `a row of ${String(dangling['table'])} in its database belongs to a row that is not there`
  for (const [table, schema] of Object.entries(rows)) {
    let number = 0
    for (const row of sql(`SELECT ${Object.keys(schema.shape).join(', ')} FROM ${table}`).iterate()) {
      number += 1
      const parsed = schema.safeParse(row)
      if (parsed.success) continue
      const [issue] = parsed.error.issues
      return `row ${number} of ${table} in its database has a wrong ${issue?.path.join('.') ?? 'value'}`
    }
  }
  return null
}

type Entries = ReadonlyMap<string, string>

/** Returns the tables, indexes, triggers and views of a database, with their definitions. */
function schemaOf(all: (text: string) => readonly Record<string, unknown>[]): Entries {
  const found = all("SELECT type, name, sql FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
  return new Map(found.map(({ type, name, sql }) => [`${String(type)} ${String(name)}`, String(sql).replace(/\s+/g, ' ')]))
}

function freshSchema(): Entries {
  const db = new DatabaseSync(':memory:')
  try {
    for (const each of migrations) db.exec(each)
    return schemaOf((text) => db.prepare(text).all())
  } finally {
    db.close()
  }
}

/** Yields what one schema has that the other lacks, and the reverse. */
function* differences(found: Entries, expected: Entries): Generator<string> {
  for (const [name, text] of found) if (expected.get(name) !== text) yield `a foreign ${name.slice(0, 100)}`
  for (const name of expected.keys()) if (!found.has(name)) yield `no ${name}`
}
