import { messageOf } from '../../base/errors.ts'
import { type Alarm, setAlarm } from '../alarm.ts'
import type { Agent } from '../store/agent-store.ts'
import type { EventReader } from '../store/event-log.ts'
import type { Job, NewJob } from '../store/job-records.ts'
import { pausedText } from '../store/pause-store.ts'
import type { Passed, Schedule, Schedules } from '../store/schedule-store.ts'
import { CronTimes } from './cron.ts'

/** Milliseconds after which a time counts as missed. A busy server is late by less. */
const graceMs = 60_000
/** The most due times in one turn. */
const batch = 50

export interface RunnerDeps {
  readonly schedules: Schedules
  readonly events: Pick<EventReader, 'onGrowth'>
  readonly agent: (id: string) => Agent | null
  readonly job: (id: string) => Job | null
  readonly give: (job: NewJob) => { readonly job: Job }
  /** Whether the fleet is paused. Times in a pause are skipped. */
  readonly isPaused: () => boolean
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  readonly now: () => number
}

/**
 * Gives the jobs of schedules at their times. The time is part of a job's idempotency key, so that a server that was killed between giving
 * the job and recording it does not give it twice.
 */
export function runSchedules(deps: RunnerDeps): Alarm {
  const { schedules, events, warn, now } = deps
  const look = (): number | null => {
    const due = schedules.due(now(), batch)
    for (const each of due) schedules.pass(each.id, passedTime(each, deps))
    return due.length === batch ? now() : schedules.nextDue()
  }
  return setAlarm({ look, failed: (error) => warn(`schedules could not be read: ${error}`, {}), now, log: events })
}

/** Gives the job of a due time, or records why there is no job. */
function passedTime(schedule: Schedule, { agent, job, give, isPaused, now }: RunnerDeps): Passed {
  const none = (problem: string): Passed => skipped(schedule, problem, now())
  if (isPaused()) return none(pausedText)
  const { due, next } = dueTimes(schedule, now())
  if (schedule.missed === 'skip' && now() - due > graceMs) return none('No server ran at its time.')
  const found = agent(schedule.agent)
  if (found === null || found.archivedAt !== null) return none('Its agent is archived.')
  const last = schedule.lastJob === null ? null : job(schedule.lastJob)
  if (schedule.overlap === 'skip' && last !== null && last.endedAt === null) return none(`Its last job has not ended: ${last.id}.`)
  try {
    const given = give(scheduledJob(schedule, `${schedule.id} ${due}`))
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
