import { readdir } from 'node:fs/promises'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { type Posture, postures } from '../../base/posture.ts'
import { type JsonLines, openJsonLines } from '../../files/append.ts'
import { writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { safeNamePattern } from '../../files/safe-name.ts'
import { NewerFile, parseStored } from '../../files/stored-json.ts'
import type { Layout } from '../config/contest-layout.ts'
import { outcomeSchema } from './participant-outcome.ts'
import type { RecordedEvent } from './progress.ts'

const usageSchema = z.object({ input: z.number(), output: z.number(), cachedInput: z.number(), model: z.string().nullable() })

const runFacts = {
  /** The number of the newest attempt; 0: there was no attempt yet. */
  attempt: z.int().min(0),
  outcome: outcomeSchema.nullable(),
  durationMs: z.number().nullable(),
  usage: usageSchema.nullable(),
  costUsd: z.number().nullable(),
  /** The version of the agent's program in the newest attempt; absent: not reported. */
  version: z.string().optional(),
  /** The isolation level of its cell in the newest attempt; absent: an earlier version did not record it. */
  posture: z.enum(postures).optional(),
  /** The cost of all attempts before the newest; absent: there were none. */
  earlierCostUsd: z.number().optional(),
  /** The SHA-256 of the texts given in the newest attempt (see given.ts); absent: an earlier version did not record them. */
  given: z.record(z.string(), z.string()).optional(),
}

/**
 * `pending → running → ended → sealed → checked`. A failure to run stays `ended`. `running` while no process holds the lock means that the
 * run was killed.
 */
const participantStatusSchema = z.strictObject({
  state: z.enum(['pending', 'running', 'ended', 'sealed', 'checked']),
  ...runFacts,
})
/** `pending → running → scored | failed`. The labels are only in mapping.json, because a status is shown before the report. */
export const taskStatusSchema = z.strictObject({
  judge: z.string().regex(safeNamePattern),
  /** The ID of the task, unique among the tasks of its judge. */
  id: z.string().regex(safeNamePattern),
  state: z.enum(['pending', 'running', 'scored', 'failed']),
  ...runFacts,
})

/** The schema of status.json. */
export const statusSchema = z.strictObject({
  schemaVersion: z.literal(2),
  contest: z.string(),
  round: z.int().min(1),
  /** A SHA-256 over contest.yaml and BRIEF.md at the start of the round. */
  fingerprint: z.string(),
  /** The isolation level at the start of the round, for cells of which contest.yaml names none; absent: an earlier version did not record it. */
  posture: z.enum(postures).optional(),
  /** The number of the current judging; 0: nothing was judged yet. */
  judging: z.int().min(0),
  participants: z.record(z.string(), participantStatusSchema),
  /** The tasks of the current judging. */
  tasks: z.array(taskStatusSchema),
  /** The newest judging that was complete when another started, or when its failed judges were asked again. */
  complete: z.strictObject({ judging: z.int().min(1), tasks: z.array(taskStatusSchema) }).optional(),
  updatedAt: z.string(),
})

export type ContestStatus = z.output<typeof statusSchema>
export type ParticipantStatus = z.output<typeof participantStatusSchema>
export type TaskStatus = z.output<typeof taskStatusSchema>
/** The key of a task. A `Task` of a mapping is also a key. */
type TaskKey = Pick<TaskStatus, 'judge' | 'id'>

const fresh = { state: 'pending', attempt: 0, outcome: null, durationMs: null, usage: null, costUsd: null } as const

function pendingTask({ judge, id }: TaskKey): TaskStatus {
  return { judge, id, ...fresh }
}

function isSame(a: TaskKey, b: TaskKey): boolean {
  return a.judge === b.judge && a.id === b.id
}

/** Returns an own property only, because participants may be named `constructor`. */
function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/**
 * Reads status.json, or the last status of an earlier round; null: the contest was never run, or the round was not kept. Throws FILES_FAILED if
 * the file is not valid.
 */
export async function readStatus(layout: Layout, round: number | null = null): Promise<ContestStatus | null> {
  const file = round === null ? layout.status : layout.roundStatus(round)
  const read = await readRegular(file, largestStatus)
  if (!read.ok && read.why === 'missing') return null
  try {
    if (!read.ok) throw new Error(read.why)
    return parseStored(file, read.bytes, statusSchema, 2)
  } catch (error) {
    if (error instanceof NewerFile) throw error
    throw new PaddockError('FILES_FAILED', `${file} is not a status that this Paddock can read.`, {
      hint: 'Run the contest with --fresh to start over, or restore the file',
      cause: error,
    })
  }
}

/** Several times the size of a status with 1,000 participants and 1,000 judges, in bytes. */
const largestStatus = 256 * 1024 ** 2

/**
 * Returns the status with exactly the participants and judges that the config names. New participants are pending, and new judges have no
 * task yet.
 */
export function fitted(status: ContestStatus, { participants, judges }: Names): ContestStatus {
  return {
    ...status,
    participants: Object.fromEntries(participants.map(({ name }) => [name, own(status.participants, name) ?? { ...fresh }])),
    tasks: status.tasks.filter(({ judge }) => judges.some(({ name }) => name === judge)),
  }
}

interface Names {
  readonly participants: readonly { readonly name: string }[]
  readonly judges: readonly { readonly name: string }[]
}

/** The status.json and events.jsonl of a running contest. Only the process that holds the lock writes them. */
export interface Journal extends AsyncDisposable {
  readonly status: ContestStatus
  participant(name: string): ParticipantStatus
  task(key: TaskKey): TaskStatus
  /** Changes one status and writes it to disk before it resolves. */
  setParticipant(name: string, change: Partial<ParticipantStatus>): Promise<void>
  setTask(key: TaskKey, change: Partial<Omit<TaskStatus, 'judge' | 'id'>>): Promise<void>
  /** Records the current judging as complete. It counts until a newer one is complete. */
  keepJudging(): Promise<void>
  /** Records the tasks of a judging. A task that this judging already had keeps its state; all others are pending. */
  setTasks(judging: number, tasks: readonly TaskKey[]): Promise<void>
  record(event: RecordedEvent): Promise<void>
}

/**
 * Opens the journal of a contest. Participants and judges that the config no longer has are dropped, and new participants are
 * pending. `fresh` starts a new round and keeps earlier rounds and judgings. `round` does the same with the given number.
 */
export async function openJournal(
  layout: Layout,
  about: {
    readonly contest: string
    readonly fingerprint: string
    readonly posture?: Posture | undefined
  } & Names,
  options: { readonly now: () => Date; readonly fresh: boolean; readonly round?: number },
): Promise<Journal> {
  const { now } = options
  const isNew = options.fresh || options.round !== undefined
  if (isNew) await keepRound(layout)
  const before = isNew ? null : await readStatus(layout)
  // A round in which no participant has started has no earlier work, so it begins with the contest as it is now.
  const begun = before !== null && Object.values(before.participants).some(({ state }) => state !== 'pending') ? before : null
  let status: ContestStatus = {
    schemaVersion: 2,
    contest: about.contest,
    round: before?.round ?? options.round ?? (await nextRound(layout)),
    judging: before?.judging ?? (await highest(layout.judgings)),
    fingerprint: begun?.fingerprint ?? about.fingerprint,
    posture: begun === null ? about.posture : begun.posture,
    participants: before?.participants ?? {},
    tasks: before?.tasks ?? [],
    ...(before?.complete === undefined ? {} : { complete: before.complete }),
    updatedAt: now().toISOString(),
  }
  status = fitted(status, about)
  const events: JsonLines = await openJsonLines(layout.events)
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  // Changes made during a write share the next write.
  const save = (change: Partial<ContestStatus>): Promise<void> => {
    status = { ...status, ...change, updatedAt: now().toISOString() }
    if (next !== null) return next
    last = last
      .catch(() => {})
      .then(() => {
        next = null
        return writeJson(layout.status, status)
      })
    next = last
    return next
  }
  const journal: Journal = {
    get status() {
      return status
    },
    participant: (name) => own(status.participants, name) ?? { ...fresh },
    task: (key) => status.tasks.find((each) => isSame(each, key)) ?? pendingTask(key),
    setParticipant: (name, change) =>
      save({ participants: { ...status.participants, [name]: { ...journal.participant(name), ...change } } }),
    setTask: (key, change) => save({ tasks: status.tasks.map((each) => (isSame(each, key) ? { ...each, ...change } : each)) }),
    keepJudging: () => save({ complete: { judging: status.judging, tasks: status.tasks } }),
    setTasks: (judging, tasks) => save({ judging, tasks: tasks.map(judging === status.judging ? journal.task : pendingTask) }),
    record: (event) => events.append({ at: now().toISOString(), ...event }, { durable: true }),
    async [Symbol.asyncDispose]() {
      await last.catch(() => {})
      await events.close()
    },
  }
  await save({})
  return journal
}

/** Keeps the last status of a round, before that of the next one replaces it. A status that is not valid is replaced. */
async function keepRound(layout: Layout): Promise<void> {
  const status = await readStatus(layout).catch((error: unknown) => {
    if (error instanceof NewerFile) throw error
    return null
  })
  if (status !== null) await writeJson(layout.roundStatus(status.round), status)
}

/** Returns the next unused round number. */
export async function nextRound({ rounds }: Layout): Promise<number> {
  return (await highest(rounds)) + 1
}

/** Returns the highest number among the entry names of a directory; 0 if no name is a number. */
export async function highest(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => [])
  return Math.max(0, ...names.filter((each) => /^[1-9]\d{0,8}$/.test(each)).map(Number))
}
