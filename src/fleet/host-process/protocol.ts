import * as z from 'zod'
import { allowanceSchema, allowancesSchema } from '../budgets/allowance.ts'
import { spentSchema } from '../budgets/spent.ts'
import { idPatterns } from '../ids.ts'
import { jobStates } from '../jobs/job.ts'
import { manifestSchema } from '../manifest/schema.ts'
import { sizeSchema } from '../sessions/viewer-frames.ts'

/**
 * What a server and a host process tell each other: one JSON object a line over a Unix socket that only their user can open. Transcripts
 * and results do not travel here; they are files, and frames only tell that there is more to read.
 *
 * `hello`, `status`, `tail` and `cancel` of version 1 never change: a server can follow and stop what a host process of any version runs.
 * A host process gets `run` only from a server of its own version.
 */
export const protocolVersion = 4

/** The longest frame in bytes: a prompt of the largest size that a server can be set to take, and a manifest. */
export const maxFrame = 8 * 1024 * 1024

const id = z.string().max(64)

/** One job as the host process knows it. */
const jobStatus = z.object({
  job: id,
  state: z.enum(jobStates),
  /** Events in its transcript so far. */
  events: z.int(),
})

/** A terminal of the agent as the host process knows it. */
const sessionStatus = z.object({
  session: id,
  /** The program and its arguments. */
  command: z.array(z.string()),
  startedAt: z.string(),
  columns: z.int(),
  rows: z.int(),
  viewers: z.int(),
  typist: z.string().nullable(),
  /** The id of its lease; null: none. */
  lease: z.string().nullable(),
})
export type SessionStatus = z.output<typeof sessionStatus>

/** A human is asked, or another agent. */
const callSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ask'), question: z.string(), expiresAt: z.string() }),
  z.object({ type: z.literal('allow'), tool: z.string(), input: z.string(), expiresAt: z.string() }),
  z.object({
    type: z.literal('delegate'),
    agent: z.string(),
    prompt: z.string(),
    /** True: the answer is that of the job; false: its id. */
    wait: z.boolean(),
    /** What is left of the budgets of the job that asks. */
    limits: z.array(allowanceSchema),
  }),
  /** Waits for a job that was delegated before. */
  z.object({ type: z.literal('await'), child: z.string() }),
])

export const toHost = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), version: z.int() }),
  /** Asks for a `status`. */
  z.object({ type: z.literal('status') }),
  /** From now on: a `wrote` whenever the transcript of this job has grown, and one now. */
  z.object({ type: z.literal('tail'), job: id }),
  /** Ends this job; `ended` comes when its cell is gone. Jobs that are over or unknown are left alone. */
  z.object({ type: z.literal('cancel'), job: id }),
  /**
   * Starts this job, unless it was accepted before. `accepted` comes once that is on the disk; after it `ended` for a job that is over, and
   * `state` with `interrupted` for one that an earlier host process accepted and did not end.
   */
  z.object({
    type: z.literal('run'),
    job: id,
    slot: z.int().min(1),
    prompt: z.string(),
    manifest: manifestSchema,
    /** The conversation to continue; null: a new one. */
    conversation: z.string().nullable(),
    memory: z.string().optional().describe('What it remembers, as text for a file; without it, nothing.'),
    lease: z
      .object({
        id: z.string().regex(idPatterns.lease),
        expiresAt: z.string(),
        tools: z.array(z.string()).optional().describe('The tools that are left; without it, all.'),
      })
      .optional()
      .describe('The lease that it belongs to: its home and workspace are that of the lease, and it ends with it.'),
    allowances: allowancesSchema.optional().describe('What it may use; without it, as much as it likes.'),
  }),
  /** Answers a `call`; one that is over is left alone. */
  z.object({
    type: z.literal('answer'),
    job: id,
    call: id,
    ok: z.boolean(),
    text: z.string(),
  }),
  /** What a job used that this one delegated; the same one may be told again. */
  z.object({ type: z.literal('spent'), job: id, child: id, used: spentSchema }),
  /** Opens a terminal: `session` comes once its program runs, or `unopened`. */
  z.object({
    type: z.literal('open'),
    session: id,
    manifest: manifestSchema,
    command: z.array(z.string()).min(1).nullable().describe('Null: what the agent is, as a human uses it.'),
    size: sizeSchema,
    lease: z
      .object({ id: z.string().regex(idPatterns.lease), expiresAt: z.string() })
      .optional()
      .describe('The lease that it belongs to: its home and workspace are that of the lease, and it ends with it.'),
  }),
  /** Ends a terminal; `closed` comes when its cell is gone. */
  z.object({ type: z.literal('close'), session: id }),
  /** In place of `hello`: what comes after it on this connection are the frames of a viewer, both ways. */
  z.object({
    type: z.literal('attach'),
    version: z.int(),
    session: id,
    viewer: z.object({
      name: z.string(),
      mayType: z.boolean(),
      takes: z.boolean(),
      answers: z.boolean(),
      isBorrower: z.boolean(),
      size: sizeSchema,
    }),
  }),
  /** Ends the host process once no job runs; `now` cancels those that do. */
  z.object({ type: z.literal('end'), now: z.boolean() }),
])
export type ToHost = z.output<typeof toHost>

export const fromHost = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    version: z.int(),
    paddock: z.string(),
    agent: id,
    pid: z.int(),
    jobs: z.array(jobStatus),
    sessions: z.array(sessionStatus).default([]),
  }),
  z.object({ type: z.literal('status'), jobs: z.array(jobStatus) }),
  z.object({ type: z.literal('accepted'), job: id }),
  z.object({ type: z.literal('wrote'), job: id, events: z.int() }),
  z.object({ type: z.literal('state'), job: id, state: z.enum(jobStates), why: z.string().optional() }),
  /** Little is left of a budget. */
  z.object({ type: z.literal('budget'), job: id, message: z.string() }),
  /** A job asks for something that the server has. Each server gets every open call. */
  z.object({ type: z.literal('call'), job: id, call: id, what: callSchema }),
  /** It does not wait for the answer any more. */
  z.object({ type: z.literal('withdrawn'), job: id, call: id }),
  /** A terminal was opened, or who looks at it has changed. */
  z.object({ type: z.literal('session'), status: sessionStatus }),
  /** A terminal could not be opened. */
  z.object({ type: z.literal('unopened'), session: id, code: z.string(), message: z.string(), hint: z.string().nullable() }),
  /** A terminal has ended: a sentence. */
  z.object({ type: z.literal('closed'), session: id, why: z.string() }),
  /** `result.json` is on the disk. */
  z.object({ type: z.literal('ended'), job: id }),
  /** The job was not accepted: nothing was started or written, and it may be sent again. What refuses a run after that is in its result. */
  z.object({ type: z.literal('refused'), job: id, code: z.string(), message: z.string(), hint: z.string().nullable() }),
])
export type FromHost = z.output<typeof fromHost>
