import * as z from 'zod'
import { failureKinds } from '../../run/failure-kinds.ts'

export const jobStates = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted'] as const
/** `waiting`: for a human, or for the end of a rate limit. `interrupted`: its host process is gone, and how far it came is not known. */
export type JobState = (typeof jobStates)[number]

/** States that a job never leaves. */
export const endStates = ['done', 'failed', 'cancelled', 'interrupted'] as const satisfies readonly JobState[]
export const isEnded = (state: JobState): boolean => (endStates as readonly JobState[]).includes(state)

/** How the run of an agent ended, as `src/run` says it. */
export const outcomeSchema = z.object({
  kind: z.enum(['ran', ...failureKinds]),
  exitCode: z.int().nullable(),
  message: z.string().nullable(),
  hint: z.string().nullable(),
  resetsAt: z.number().nullable().describe('Milliseconds since the epoch.'),
})

export const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  cachedInput: z.number(),
  model: z.string().nullable(),
})

/** What a job changed in its workspace, as the report of its cell says; lists are cut at 1,000. */
export const changesSchema = z.object({
  created: z.array(z.string()),
  modified: z.array(z.string()),
  runsLater: z.array(z.object({ path: z.string(), why: z.string() })),
  truncated: z.boolean(),
})

/** How a job ended: written by its host process as `result.json`, read by the server. */
export const jobResultSchema = z.object({
  schemaVersion: z.literal(1),
  job: z.string(),
  state: z.enum(['done', 'failed', 'cancelled']),
  outcome: outcomeSchema,
  /** What the agent answered, at most 64 KiB of it. */
  text: z.string(),
  usage: usageSchema.nullable(),
  costUsd: z.number().nullable(),
  toolCalls: z.int(),
  /** Answers of its model, with words or calls of tools. */
  turns: z.int().default(0),
  /** Milliseconds with a running cell. */
  cellMs: z.number().default(0),
  startedAt: z.string(),
  endedAt: z.string(),
  /** By which its CLI continues the conversation; null: not known. */
  conversation: z.string().nullable(),
  changes: changesSchema.nullable(),
  /** The id of a copy that holds the changes for review; null: there is none. */
  copy: z.string().nullable(),
  /** What the user should know, one sentence each. */
  notes: z.array(z.string()),
})
export type JobResult = z.output<typeof jobResultSchema>
