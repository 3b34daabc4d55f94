import type { Command } from 'commander'
import { choice } from '../../choice.ts'
import { answering } from '../../terminal/command-answer.ts'
import { prompting, serverCommand } from '../server-command.ts'

/** Adds `paddock schedule`. */
export function addScheduleCommands(program: Command): void {
  const schedule = program.command('schedule').summary('create jobs at the times of a cron pattern')
  const add = (name: string, summary: string): Command => serverCommand(schedule, name, summary)
  const described = (command: Command): Command =>
    prompting(
      command
        .argument('<name>', 'the name of the schedule')
        .requiredOption('--agent <name>', 'create the jobs for this agent')
        .requiredOption('--cron <pattern>', 'create them at these times, for example "30 9 * * 1-5"')
        .option('--zone <name>', "use this time zone, such as Europe/Berlin (default: this machine's)"),
    )
      .addOption(choice('--missed <what>', 'for times without a server, create one job (once) or none (skip)', ['once', 'skip'], 'once'))
      .addOption(choice('--overlap <what>', 'if its last job is still running, skip the time or queue the job', ['skip', 'queue'], 'skip'))
  const named = (name: string, summary: string): Command => add(name, summary).argument('<name>', 'its name or id')

  described(add('create', 'create jobs for an agent at the times of a cron pattern')).action(
    answering<'schedule create'>(async () => (await import('./schedule.ts')).createSchedule),
  )
  described(add('edit', 'replace a schedule')).action(answering<'schedule edit'>(async () => (await import('./schedule.ts')).editSchedule))
  add('list', 'list all schedules with their next times').action(
    answering<'schedule list'>(async () => (await import('./schedule.ts')).listSchedules),
  )
  named('show', 'show one schedule and its next five times').action(
    answering<'schedule show'>(async () => (await import('./schedule.ts')).showSchedule),
  )
  named('pause', 'create no jobs until it is resumed').action(
    answering<'schedule pause'>(async () => (await import('./schedule.ts')).pauseSchedule),
  )
  named('resume', 'continue with its next time').action(
    answering<'schedule resume'>(async () => (await import('./schedule.ts')).resumeSchedule),
  )
  named('run', 'create its job now').action(answering<'schedule run'>(async () => (await import('./schedule.ts')).runSchedule))
  named('delete', 'delete a schedule, and keep its jobs').action(
    answering<'schedule delete'>(async () => (await import('./schedule.ts')).deleteSchedule),
  )
}
