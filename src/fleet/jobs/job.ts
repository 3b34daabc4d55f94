import * as z from 'zod'
import { failureKinds } from '../../run/failure-kinds.ts'

export const jobStates = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted'] as const
/** `waiting`: for a human, another agent, or the end of a rate limit. `interrupted`: the host process is gone, the progress unknown. */
export type JobState = (typeof jobStates)[number]

/** States that are final. */
export const endStates = ['done', 'failed', 'cancelled', 'interrupted'] as const satisfies readonly JobState[]
export const isEnded = (state: JobState): boolean => (endStates as readonly JobState[]).includes(state)

/** The end of an agent's run, as `src/run` reports it. */
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

const gitChangesSchema = z.object({
  workTree: z.string().describe('The path of the work tree; . is the project.'),
  branchBefore: z.string().nullable(),
  branchAfter: z.string().nullable(),
  headBefore: z.string().nullable(),
  headAfter: z.string().nullable(),
  commits: z
    .array(z.object({ hash: z.string(), subject: z.string(), protected: z.array(z.string()).describe('Protected paths that it changes.') }))
    .describe('Commits that no ref had before, newest first; at most 100.'),
  commitCount: z.int().nullable().describe('At most 1,001. Null: the commits could not be read.'),
  inProgress: z.enum(['rebase', 'am', 'merge', 'cherry-pick', 'revert', 'bisect']).nullable(),
  stashes: z.int().describe('Number of stashes that were added.'),
})

/** The changes of a job in its workspace, from the report of its cell; lists are cut at 1,000 entries. */
export const changesSchema = z.object({
  created: z.array(z.string()),
  modified: z.array(z.string()),
  deleted: z.array(z.string()).default([]),
  renamed: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
  git: z.array(gitChangesSchema).default([]),
  runsLater: z.array(z.object({ path: z.string(), why: z.string() })),
  truncated: z.boolean(),
})

const worktreeSchema = z
  .object({
    name: z.string().describe('The name of the work tree and of its branch.'),
    project: z.string(),
    directory: z.string(),
    unmerged: z.int().nullable().describe('Commits that no other branch had when the job ended. Null: it could not be compared.'),
    uncommitted: z.int().nullable().describe('Files that were in no commit when the job ended.'),
  })
  .meta({ id: 'JobWorktree' })
/** The work tree of git in which a job worked. */
export type JobWorktree = z.output<typeof worktreeSchema>

/** The end of a job. Its host process writes this as `result.json`, and the server reads it. */
export const jobResultSchema = z.object({
  schemaVersion: z.literal(1),
  job: z.string(),
  state: z.enum(['done', 'failed', 'cancelled']),
  outcome: outcomeSchema,
  /** The agent's answer, cut at 64 KiB. */
  text: z.string(),
  usage: usageSchema.nullable(),
  costUsd: z.number().nullable(),
  toolCalls: z.int(),
  /** The number of the model's answers with text or tool calls. */
  turns: z.int().default(0),
  /** The time with a running cell, in milliseconds. */
  cellMs: z.number().default(0),
  startedAt: z.string(),
  endedAt: z.string(),
  /** The id with which the agent's CLI continues the conversation; null if it is not known. */
  conversation: z.string().nullable(),
  changes: changesSchema.nullable(),
  /** The id of a copy that contains the changes for review, or null. */
  copy: z.string().nullable(),
  /** The work tree in which it worked, or null. */
  worktree: worktreeSchema.nullable().default(null),
  /** Notes for the user, one sentence each. */
  notes: z.array(z.string()),
})
export type JobResult = z.output<typeof jobResultSchema>
