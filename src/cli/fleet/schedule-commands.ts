import type { Command } from 'commander'
import { dataOption } from './data-option.ts'

/** `paddock schedule …` */
export function addScheduleCommands(program: Command): void {
  const schedule = program.command('schedule').summary('jobs that are given when their time has come')
  const add = (name: string, summary: string): Command =>
    schedule
      .command(name)
      .summary(summary)
      .option(...dataOption)
      .option('--json', 'as JSON')
  const described = (command: Command): Command =>
    command
      .argument('<name>', 'what it is called')
      .requiredOption('--agent <name>', 'the agent that gets the jobs')
      .requiredOption('--cron <pattern>', 'minute hour day month weekday, for example "30 9 * * 1-5"')
      .option('--zone <name>', 'time zone, for example Europe/Berlin; that of this machine unless told')
      .option('--prompt <text>', 'what to do')
      .option('--prompt-file <file>', 'the same, from a file; -: from standard input')
      .option('--missed <what>', 'times that passed while no server ran: once (one job for all of them) or skip', 'once')
      .option('--overlap <what>', 'a time at which the job of an earlier one has not ended: skip it, or queue', 'skip')

  described(add('create', 'give an agent a job at the times of a cron pattern')).action(async (name: string, options) => {
    process.exitCode = await (await import('./schedule.ts')).createSchedule(name, options)
  })
  described(add('edit', 'replace a schedule')).action(async (name: string, options) => {
    process.exitCode = await (await import('./schedule.ts')).editSchedule(name, options)
  })
  add('list', 'all schedules, with their next times').action(async (options) => {
    process.exitCode = await (await import('./schedule.ts')).listSchedules(options)
  })
  for (const [act, summary, handler] of [
    ['show', 'one schedule, and its next five times', 'showSchedule'],
    ['pause', 'give no more jobs until it is resumed', 'pauseSchedule'],
    ['resume', 'go on with its next time', 'resumeSchedule'],
    ['run', 'give its job now', 'runSchedule'],
    ['delete', 'delete a schedule; its jobs stay', 'deleteSchedule'],
  ] as const)
    add(act, summary)
      .argument('<name>', 'its name or id')
      .action(async (name: string, options) => {
        process.exitCode = await (await import('./schedule.ts'))[handler](name, options)
      })
}
