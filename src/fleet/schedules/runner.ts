import { messageOf } from '../../errors.ts'
import type { Job, NewJob } from '../queue/queue.ts'
import type { Agent } from '../store/agents.ts'
import { pausedText } from '../store/pause.ts'
import type { Passed, Schedule, Schedules } from '../store/schedules.ts'
import { CronTimes } from './cron.ts'

/** Milliseconds after which a time counts as missed. A busy server is late by less. */
const graceMs = 60_000
/** The longest time between two readings of the clock, in milliseconds: clocks are changed, and machines sleep. */
const longestMs = 30_000
const batch = 50

export interface RunnerDeps {
  readonly schedules: Schedules
  readonly agent: (id: string) => Agent | null
  readonly job: (id: string) => Promise<Job | null>
  readonly give: (job: NewJob) => Promise<{ readonly job: Job }>
  /** Whether the fleet is paused. Times in a pause are skipped. */
  readonly isPaused: () => boolean
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  readonly now: () => number
}

export interface ScheduleRunner extends Disposable {
  /** Applies a changed schedule. */
  wake(): void
}

/**
 * Gives the jobs of schedules at their times. The time is part of a job's idempotency key, so that a server that was killed between giving
 * the job and recording it does not give it twice.
 */
export function runSchedules(deps: RunnerDeps): ScheduleRunner {
  const { schedules, warn, now } = deps
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let running: Promise<void> | null = null
  const wait = (): void => {
    clearTimeout(timer)
    const next = schedules.nextDue()
    if (!isClosed && next !== null) timer = setTimeout(wake, Math.min(longestMs, Math.max(0, next - now())))
  }
  const round = async (): Promise<void> => {
    for (;;) {
      const due = schedules.due(now(), batch)
      if (due.length === 0 || isClosed) return
      for (const each of due) {
        const passed = await passedTime(each, deps)
        if (isClosed) return
        schedules.pass(each.id, passed)
      }
    }
  }
  const wake = (): void => {
    if (isClosed) return
    if (running !== null) return void running.then(wait)
    running = round()
      .catch((error: unknown) => warn(`schedules could not be read: ${messageOf(error)}`, {}))
      .finally(() => {
        running = null
        if (!isClosed) wait()
      })
  }
  wake()
  return {
    wake,
    [Symbol.dispose]() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** Gives the job of a due time, or records why there is no job. */
async function passedTime(schedule: Schedule, { agent, job, give, isPaused, now }: RunnerDeps): Promise<Passed> {
  const none = (problem: string): Passed => skipped(schedule, problem, now())
  if (isPaused()) return none(pausedText)
  const { due, next } = dueTimes(schedule, now())
  if (schedule.missed === 'skip' && now() - due > graceMs) return none('No server ran at its time.')
  const found = agent(schedule.agent)
  if (found === null || found.archivedAt !== null) return none('Its agent is archived.')
  const last = schedule.lastJob === null ? null : await job(schedule.lastJob)
  if (schedule.overlap === 'skip' && last !== null && last.endedAt === null) return none(`Its last job has not ended: ${last.id}.`)
  try {
    const given = await give(scheduledJob(schedule, `${schedule.id} ${due}`))
    return { due, next, job: given.job.id, problem: null }
  } catch (error) {
    return none(messageOf(error))
  }
}

/** Returns a due time that leads to no job. */
export function skipped(schedule: Schedule, problem: string, now: number): Passed {
  return { ...dueTimes(schedule, now), job: null, problem }
}

/** Returns the due time and the one after it. Even if the clock was set back, no time occurs twice. */
function dueTimes({ cron, zone, dueAt }: Schedule, now: number): Pick<Passed, 'due' | 'next'> {
  const due = dueAt ?? now
  return { due, next: new CronTimes(cron, zone).after(Math.max(now, due)) }
}

export function scheduledJob({ agent, prompt, name }: Schedule, idempotencyKey: string | null): NewJob {
  return { agent, labels: [], prompt, requestedBy: `schedule ${name}`, continues: null, conversation: null, idempotencyKey }
}
