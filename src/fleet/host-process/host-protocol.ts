import * as z from 'zod'
import { allowanceSchema, allowancesSchema } from '../budgets/budget-allowance.ts'
import { spentSchema } from '../budgets/budget-spent.ts'
import { idPatterns } from '../ids.ts'
import { jobStates } from '../jobs/job.ts'
import { manifestSchema } from '../manifest/manifest-schema.ts'
import { sizeSchema } from '../sessions/viewer-frames.ts'

/**
 * The protocol between a server and a host process: one JSON object per line over a Unix socket that only their user can open. Transcripts
 * and results are not sent; they are files, and frames only report that there is more to read.
 *
 * `hello`, `status`, `tail`, `cancel` and `end` of version 1 never change, so that a server can follow and stop the jobs of a host process
 * of any version, and replace an idle one. A host process gets `run` only from a server with its own version.
 */
export const protocolVersion = 5

/** The longest frame in bytes. A manifest and a prompt of the largest size that a server can be configured to accept fit into it. */
export const maxFrame = 8 * 1024 * 1024

const id = z.string().max(64)

/** The state of one job in the host process. */
const jobStatus = z.object({
  job: id,
  state: z.enum(jobStates),
  /** The number of events in the job's transcript so far. */
  events: z.int(),
})

/** The state of one terminal in the host process. */
const sessionStatus = z.object({
  session: id,
  /** The program and its arguments. */
  command: z.array(z.string()),
  startedAt: z.string(),
  columns: z.int(),
  rows: z.int(),
  viewers: z.int(),
  typist: z.string().nullable(),
  /** The id of the terminal's lease, or null. */
  lease: z.string().nullable(),
})
export type SessionStatus = z.output<typeof sessionStatus>

/** A request to a human or to another agent. */
const callSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ask'), question: z.string(), expiresAt: z.string() }),
  z.object({ type: z.literal('allow'), tool: z.string(), input: z.string(), expiresAt: z.string() }),
  z.object({
    type: z.literal('delegate'),
    agent: z.string(),
    prompt: z.string(),
    /** True to get the job's answer; false to get only its id. */
    wait: z.boolean(),
    /** The remaining budgets of the requesting job. */
    limits: z.array(allowanceSchema),
  }),
  /** Waits for a job that was delegated before. */
  z.object({ type: z.literal('await'), child: z.string() }),
])

export const toHost = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), version: z.int() }),
  /** Requests a `status`. */
  z.object({ type: z.literal('status') }),
  /** Requests a `wrote` now and whenever the transcript of this job grows. */
  z.object({ type: z.literal('tail'), job: id }),
  /** Ends this job; `ended` follows when the job's cell is gone. Has no effect on jobs that are over or unknown. */
  z.object({ type: z.literal('cancel'), job: id }),
  /**
   * Starts this job, unless it was accepted before. `accepted` follows once this is on the disk. Then `ended` follows for a finished job,
   * or `state` with `interrupted` for one that an earlier host process accepted and did not finish.
   */
  z.object({
    type: z.literal('run'),
    job: id,
    slot: z.int().min(1),
    prompt: z.string(),
    manifest: manifestSchema,
    byOwner: z.boolean().optional().describe('Whether an owner wrote the prompt; by default, false.'),
    /** The conversation to continue, or null for a new one. */
    conversation: z.string().nullable(),
    worktree: id.optional().describe('The name of its work tree; by default, its id.'),
    memory: z.string().optional().describe('What it remembers, as text for a file; by default, nothing.'),
    untrusted: z.array(z.string()).optional().describe('Where it reads text of others besides its prompt; by default, nowhere.'),
    lease: z
      .object({
        id: z.string().regex(idPatterns.lease),
        expiresAt: z.string(),
        tools: z.array(z.string()).optional().describe('The tools that it may use; by default, all.'),
      })
      .optional()
      .describe("The lease that it belongs to. It uses the lease's home and workspace, and ends with the lease."),
    allowances: allowancesSchema.optional().describe('What it may use; by default, unlimited.'),
  }),
  /** Answers a `call`. Has no effect on a call that is over. */
  z.object({
    type: z.literal('answer'),
    job: id,
    call: id,
    ok: z.boolean(),
    text: z.string(),
  }),
  /** Reports the use of a job that this one delegated. May be sent more than once. */
  z.object({ type: z.literal('spent'), job: id, child: id, used: spentSchema }),
  /** Opens a terminal. `session` follows once the program runs, or `unopened` if it cannot. */
  z.object({
    type: z.literal('open'),
    session: id,
    manifest: manifestSchema,
    byOwner: z.boolean().optional().describe('Whether an owner opens it; by default, false.'),
    command: z.array(z.string()).min(1).nullable().describe('Null: the agent itself, as a human uses it.'),
    size: sizeSchema,
    lease: z
      .object({ id: z.string().regex(idPatterns.lease), expiresAt: z.string() })
      .optional()
      .describe("The lease that it belongs to. It uses the lease's home and workspace, and ends with the lease."),
  }),
  /** Ends a terminal; `closed` follows when the terminal's cell is gone. */
  z.object({ type: z.literal('close'), session: id }),
  /** Sent instead of `hello`: the rest of this connection carries the frames of a viewer, in both directions. */
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
  /** Ends the host process once no job runs; `now` also cancels running jobs. */
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
  /** A budget is nearly used up, or used up. */
  z.object({ type: z.literal('budget'), job: id, message: z.string() }),
  /** A request from a job to the server. Each server gets every open call. */
  z.object({ type: z.literal('call'), job: id, call: id, what: callSchema }),
  /** The job no longer waits for the answer. */
  z.object({ type: z.literal('withdrawn'), job: id, call: id }),
  /** A terminal was opened, or its viewers have changed. */
  z.object({ type: z.literal('session'), status: sessionStatus }),
  /** A terminal could not be opened. */
  z.object({ type: z.literal('unopened'), session: id, code: z.string(), message: z.string(), hint: z.string().nullable() }),
  /** A terminal has ended. `why` is a sentence. */
  z.object({ type: z.literal('closed'), session: id, why: z.string() }),
  /** `result.json` is on the disk. */
  z.object({ type: z.literal('ended'), job: id }),
  /** The job was not accepted: nothing was started or written, and it may be sent again. Later failures are in its result. */
  z.object({ type: z.literal('refused'), job: id, code: z.string(), message: z.string(), hint: z.string().nullable() }),
])
export type FromHost = z.output<typeof fromHost>
