import { zonedTime } from '../../../base/zoned-time.ts'
import type { components } from '../../../client/api.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { table } from '../../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'
import { type PromptOptions, promptFrom } from '../jobs/prompt-from.ts'

type Schedule = components['schemas']['Schedule']

interface WishOptions extends ServerOptions, PromptOptions {
  readonly agent: string
  readonly cron: string
  readonly zone?: string
  readonly missed: 'once' | 'skip'
  readonly overlap: 'skip' | 'queue'
}

/** Runs `paddock schedule create`. */
export async function createSchedule(name: string, options: WishOptions): Promise<Answer<Schedule>> {
  const body = await wishOf(name, options)
  return shown(answered(await connectServer(options).POST('/api/v1/schedules', { body })))
}

/** Runs `paddock schedule edit`. */
export async function editSchedule(name: string, options: WishOptions): Promise<Answer<Schedule>> {
  const body = await wishOf(name, options)
  return shown(answered(await connectServer(options).PUT('/api/v1/schedules/{schedule}', { params: at(name), body })))
}

/** Runs `paddock schedule list`. */
export async function listSchedules(options: ServerOptions): Promise<Answer<Result<'schedule list'>>> {
  const { items } = answered(await connectServer(options).GET('/api/v1/schedules'))
  const rows = items.map((each) => [each.name, each.agent, each.cron, each.zone, nextText(each), each.problem ?? '-'])
  return { data: { items }, lines: table(['NAME', 'AGENT', 'CRON', 'ZONE', 'NEXT', 'LAST PROBLEM'], rows) }
}

/** Runs `paddock schedule show`. */
export async function showSchedule(name: string, options: ServerOptions): Promise<Answer<Result<'schedule show'>>> {
  const schedule = answered(await connectServer(options).GET('/api/v1/schedules/{schedule}', { params: at(name) }))
  const lines = [
    `name      ${schedule.name}`,
    `agent     ${schedule.agent}`,
    `cron      ${schedule.cron} (${schedule.zone})`,
    `missed    ${schedule.missed}`,
    `overlap   ${schedule.overlap}`,
    `last job  ${schedule.lastJob ?? '-'}`,
    ...(schedule.problem === null ? [] : [`problem   ${schedule.problem}`]),
    schedule.paused ? 'next      paused' : schedule.next.length === 0 ? 'next      never' : 'next',
    ...schedule.next.map((each) => `  ${zonedTime(each, schedule.zone)}`),
    'prompt',
    ...schedule.prompt.split('\n').map((line) => `  ${line}`),
  ]
  return { data: schedule, lines }
}

/** Runs `paddock schedule pause`. */
export async function pauseSchedule(name: string, options: ServerOptions): Promise<Answer<Schedule>> {
  return shown(answered(await connectServer(options).POST('/api/v1/schedules/{schedule}/pause', { params: at(name) })))
}

/** Runs `paddock schedule resume`. */
export async function resumeSchedule(name: string, options: ServerOptions): Promise<Answer<Schedule>> {
  return shown(answered(await connectServer(options).POST('/api/v1/schedules/{schedule}/resume', { params: at(name) })))
}

/** Runs `paddock schedule run`. */
export async function runSchedule(name: string, options: ServerOptions): Promise<Answer<Result<'schedule run'>>> {
  const job = answered(await connectServer(options).POST('/api/v1/schedules/{schedule}/run', { params: at(name) }))
  return { data: job, lines: [job.id] }
}

/** Runs `paddock schedule delete`. */
export async function deleteSchedule(name: string, options: ServerOptions): Promise<Answer<Result<'schedule delete'>>> {
  answered(await connectServer(options).DELETE('/api/v1/schedules/{schedule}', { params: at(name) }))
  return { data: { deleted: name }, lines: [`${name} is deleted; its jobs stay.`] }
}

const at = (schedule: string) => ({ path: { schedule } })

async function wishOf(name: string, options: WishOptions) {
  const { agent, cron, missed, overlap } = options
  const zone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    ...{ name, agent, cron, zone, prompt: await promptFrom(options) },
    missed,
    overlap,
  }
}

function shown(schedule: Schedule): Answer<Schedule> {
  return { data: schedule, lines: [`${schedule.name} runs on ${schedule.agent}; next run: ${nextText(schedule)}`] }
}

function nextText({ paused, next, zone }: Schedule): string {
  const [first] = next
  return paused ? 'paused' : first === undefined ? 'never' : zonedTime(first, zone)
}
