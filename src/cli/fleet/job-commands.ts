import type { Command } from 'commander'
import { collect } from '../repeatable.ts'
import { answering } from '../terminal/answer.ts'
import { dataOption } from './data-option.ts'

/** `paddock job …` */
export function addJobCommands(program: Command): void {
  const job = program.command('job').summary('the jobs of the fleet')
  const add = (name: string, summary: string): Command =>
    job
      .command(name)
      .summary(summary)
      .option(...dataOption)
      .option('--json', 'as JSON')
  const prompting = (command: Command): Command =>
    command.option('--prompt <text>', 'what to do').option('--prompt-file <file>', 'the same, from a file; -: from standard input')
  const giving = (command: Command): Command =>
    prompting(command).option('--detach', 'print the id and end').option('--key <key>', 'a second job with the same key is the first one')

  giving(add('run', 'give a job and follow it to its end'))
    .argument('[agent]', 'the agent; without it any free one with the labels')
    .option('--label <label>', 'what the agent must have', collect, [])
    .option('--budget <amount>', 'what the job may use: 5usd, 100turns, 9000tokens or 2h; repeatable', collect, [])
    .action(async (agent: string | undefined, options) => {
      process.exitCode = await (await import('./job.ts')).runJob(agent, options)
    })
  giving(add('continue', 'give a job that goes on in the conversation of another'))
    .argument('<job>', 'a job that has ended')
    .action(async (id: string, options) => {
      process.exitCode = await (await import('./job.ts')).continueJob(id, options)
    })
  giving(add('message', 'give a job that goes on in the conversation of another, as soon as that one has ended'))
    .argument('<job>', 'a job that runs, waits or has ended')
    .option('--now', 'end that job now')
    .action(async (id: string, options) => {
      process.exitCode = await (await import('./job.ts')).messageJob(id, options)
    })
  prompting(add('change', 'give another prompt to a job that has not begun'))
    .argument('<job>', 'its id')
    .action(async (id: string, options) => {
      process.exitCode = await (await import('./job.ts')).changeJob(id, options)
    })
  add('list', 'the jobs, newest first')
    .option('--agent <name>', 'only those of one agent')
    .option('--state <state>', 'only queued, running, waiting, done, failed, cancelled or interrupted ones')
    .option('--limit <number>', 'at most so many, up to 200', '50')
    .action(async (options) => {
      process.exitCode = await (await import('./job.ts')).listJobs(options)
    })
  add('review', 'what a job changed in its copy of the project')
    .argument('<job>', 'its id')
    .option('--stat', 'only the names, and what is noteworthy of each')
    .action(answering<'job review'>(async () => (await import('./job-copy.ts')).reviewJob))
  add('apply', 'apply what a job changed to the project, all or some')
    .argument('<job>', 'its id')
    .argument('[paths...]', 'only these, relative to the project')
    .option('--run-later', 'also what runs, or is obeyed, on this machine later')
    .option('--allow-secrets', 'also what looks like a secret')
    .option('--commit', 'commit just these paths with your own git')
    .option('-m, --message <text>', 'the message of the commit')
    .action(async (id: string, paths: string[], options) => {
      process.exitCode = await (await import('./job-copy.ts')).applyJob(id, paths, options)
    })
  add('discard', 'delete the copy of a job, and with it all that was done in it')
    .argument('<job>', 'its id')
    .action(async (id: string, options) => {
      process.exitCode = await (await import('./job-copy.ts')).discardJob(id, options)
    })
  const acts = [
    ['show', 'one job: prompt, answer, files changed', 'showJob'],
    ['watch', 'follow a job from its beginning to its end', 'watchJob'],
    ['wait', 'wait for the end of a job', 'waitForJob'],
    ['cancel', 'end a job', 'cancelJob'],
  ] as const
  for (const [act, summary, work] of acts)
    add(act, summary)
      .argument('<job>', 'its id')
      .action(async (id: string, options) => {
        process.exitCode = await (await import('./job.ts'))[work](id, options)
      })
}
