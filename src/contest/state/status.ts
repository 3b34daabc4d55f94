import { readdir, readFile } from 'node:fs/promises'
import * as z from 'zod'
import { PaddockError } from '../../errors.ts'
import { type JsonLines, openJsonLines } from '../../files/append.ts'
import { writeJson } from '../../files/atomic.ts'
import { safeNamePattern } from '../../files/safe-name.ts'
import { outcomeSchema } from '../run/outcome.ts'
import type { Layout } from './layout.ts'
import type { RecordedEvent } from './progress.ts'

const usageSchema = z.object({ input: z.number(), output: z.number(), cachedInput: z.number(), model: z.string().nullable() })

const runFacts = {
  /** Number of the newest attempt; 0: none yet. */
  attempt: z.int().min(0),
  outcome: outcomeSchema.nullable(),
  durationMs: z.number().nullable(),
  usage: usageSchema.nullable(),
  costUsd: z.number().nullable(),
  /** Of its program in the newest attempt; absent: it says none. */
  version: z.string().optional(),
  /** What its attempts before the newest cost; absent: it had none. */
  earlierCostUsd: z.number().optional(),
  /** SHA-256 of the texts that it was given in its newest attempt (see given.ts); absent: an earlier version did not note that. */
  given: z.record(z.string(), z.string()).optional(),
}

/** `pending → running → ended → sealed → checked`; a failure to run stays `ended`. `running` with nobody holding the lock: it was killed. */
const participantStatusSchema = z.strictObject({
  state: z.enum(['pending', 'running', 'ended', 'sealed', 'checked']),
  ...runFacts,
})
/** `pending → running → scored | failed`. Its labels are only in mapping.json: a status is shown before the report is. */
export const taskStatusSchema = z.strictObject({
  judge: z.string().regex(safeNamePattern),
  /** Unique among the tasks of its judge. */
  id: z.string().regex(safeNamePattern),
  state: z.enum(['pending', 'running', 'scored', 'failed']),
  ...runFacts,
})

/** status.json */
export const statusSchema = z.strictObject({
  schemaVersion: z.literal(2),
  contest: z.string(),
  round: z.int().min(1),
  /** SHA-256 over contest.yaml and BRIEF.md as they were when the round began. */
  fingerprint: z.string(),
  /** 0: nothing was judged yet. */
  judging: z.int().min(0),
  participants: z.record(z.string(), participantStatusSchema),
  /** Of the current judging. */
  tasks: z.array(taskStatusSchema),
  /** The newest judging that was complete when another began, or when its failed judges were asked again. */
  complete: z.strictObject({ judging: z.int().min(1), tasks: z.array(taskStatusSchema) }).optional(),
  updatedAt: z.string(),
})

export type ContestStatus = z.output<typeof statusSchema>
export type ParticipantStatus = z.output<typeof participantStatusSchema>
export type TaskStatus = z.output<typeof taskStatusSchema>
/** Which task; `Task` of a mapping is one. */
type TaskKey = Pick<TaskStatus, 'judge' | 'id'>

const fresh = { state: 'pending', attempt: 0, outcome: null, durationMs: null, usage: null, costUsd: null } as const

function pendingTask({ judge, id }: TaskKey): TaskStatus {
  return { judge, id, ...fresh }
}

function isSame(a: TaskKey, b: TaskKey): boolean {
  return a.judge === b.judge && a.id === b.id
}

/** `constructor` is a good name, too. */
function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** The status on disk; null: the contest was never run. Throws FILES_FAILED where the file cannot be understood. */
export async function readStatus(layout: Layout): Promise<ContestStatus | null> {
  let text: string
  try {
    text = await readFile(layout.status, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return statusSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new PaddockError('FILES_FAILED', `${layout.status} is not a status that this Paddock can read.`, {
      hint: 'Run the contest with --fresh to start over, or put the file back as it was',
      cause: error,
    })
  }
}

/** Returns the status with everybody whom the config names, and nobody else: new participants are pending, new judges have no task yet. */
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

/** status.json and events.jsonl while a contest goes on; one writer at a time, who holds the lock. */
export interface Journal extends AsyncDisposable {
  readonly status: ContestStatus
  participant(name: string): ParticipantStatus
  task(key: TaskKey): TaskStatus
  /** Changes one status and puts it on the disk before it resolves. */
  setParticipant(name: string, change: Partial<ParticipantStatus>): Promise<void>
  setTask(key: TaskKey, change: Partial<Omit<TaskStatus, 'judge' | 'id'>>): Promise<void>
  /** Notes the current judging as complete: it counts until a newer one is complete. */
  keepJudging(): Promise<void>
  /** Notes which tasks a judging has. A task that was noted of this judging keeps its state; all others are pending. */
  setTasks(judging: number, tasks: readonly TaskKey[]): Promise<void>
  record(event: RecordedEvent): Promise<void>
}

/**
 * Opens the journal of a contest; participants and judges that the config no longer has are forgotten, new participants are
 * pending. `fresh` starts a new round, and leaves the rounds and judgings before it as they are; so does `round`, which is its number.
 */
export async function openJournal(
  layout: Layout,
  about: {
    readonly contest: string
    readonly fingerprint: string
  } & Names,
  options: { readonly now: () => Date; readonly fresh: boolean; readonly round?: number },
): Promise<Journal> {
  const { now } = options
  const before = options.fresh || options.round !== undefined ? null : await readStatus(layout)
  let status: ContestStatus = {
    schemaVersion: 2,
    contest: about.contest,
    round: before?.round ?? options.round ?? (await nextRound(layout)),
    judging: before?.judging ?? (await highest(layout.judgings)),
    fingerprint: before?.fingerprint ?? about.fingerprint,
    participants: before?.participants ?? {},
    tasks: before?.tasks ?? [],
    ...(before?.complete === undefined ? {} : { complete: before.complete }),
    updatedAt: now().toISOString(),
  }
  status = fitted(status, about)
  const events: JsonLines = await openJsonLines(layout.events)
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  // Changes that are made while one is on its way to the disk share the next write.
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

/** Returns the number of a round that was never begun. */
export async function nextRound({ rounds }: Layout): Promise<number> {
  return (await highest(rounds)) + 1
}

/** The highest number that a directory in here has for a name; 0: none. */
export async function highest(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => [])
  return Math.max(0, ...names.filter((each) => /^[1-9]\d{0,8}$/.test(each)).map(Number))
}
