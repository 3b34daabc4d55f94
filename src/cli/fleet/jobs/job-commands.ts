import type { Command } from 'commander'
import { choice } from '../../choice.ts'
import { collect } from '../../repeatable.ts'
import { answering } from '../../terminal/command-answer.ts'
import { prompting, serverCommand } from '../server-command.ts'

/** Adds `paddock job`. */
export function addJobCommands(program: Command): void {
  const job = program.command('job').summary('create, follow, review and end the jobs of the fleet')
  const add = (name: string, summary: string): Command => serverCommand(job, name, summary)
  const giving = (command: Command): Command =>
    prompting(command).option('--detach', 'print the id and exit').option('--key <key>', 'create at most one job with this key')

  giving(add('run', 'create a job and follow it to its end'))
    .argument('[agent]', 'the agent (default: any free one with the labels)')
    .option('--label <label>', 'use only an agent with this label (repeatable)', collect, [])
    .option('--budget <amount>', 'limit the job to 5usd, 100turns, 9000tokens or 2h (repeatable)', collect, [])
    .action(answering<'job run'>(async () => (await import('./give-job.ts')).runJob))
  giving(add('continue', 'create a job that continues the conversation of another'))
    .argument('<job>', 'a job that has ended')
    .action(answering<'job continue'>(async () => (await import('./give-job.ts')).continueJob))
  giving(add('message', 'create a job that continues a conversation once its job has ended'))
    .argument('<job>', 'a job that is running or waiting, or has ended')
    .option('--now', 'end that job now')
    .action(answering<'job message'>(async () => (await import('./give-job.ts')).messageJob))
  prompting(add('change', 'change the prompt of a job that has not started'))
    .argument('<job>', 'its id')
    .action(answering<'job change'>(async () => (await import('./job-command.ts')).changeJob))
  add('list', 'list the jobs, newest first')
    .option('--agent <name>', 'list only jobs of this agent')
    .addOption(
      choice('--state <state>', 'list only jobs in this state', [
        'queued',
        'running',
        'waiting',
        'done',
        'failed',
        'cancelled',
        'interrupted',
      ]),
    )
    .option('--limit <number>', 'list at most this many, up to 200', '50')
    .action(answering<'job list'>(async () => (await import('./job-command.ts')).listJobs))
  add('review', 'show what a job changed in its copy of the project or on its branch')
    .argument('<job>', 'its id')
    .option('--stat', 'print only the names of changed files, with notes on each')
    .action(answering<'job review'>(async () => (await import('./job-copy.ts')).reviewJob))
  add('apply', 'apply the changes of a job to the project, or merge its branch')
    .argument('<job>', 'its id')
    .argument('[paths...]', 'the paths to apply, relative to the project (default: all)')
    .option('--run-later', 'also apply files that programs on this machine run later')
    .option('--allow-secrets', 'also apply files that seem to contain a secret')
    .option('--commit', 'commit exactly these paths with your own git')
    .option('-m, --message <text>', 'with --commit: use this commit message')
    .option('--branch', 'only keep the branch of the job, and delete its work tree')
    .action(answering<'job apply'>(async () => (await import('./job-copy.ts')).applyJob))
  add('discard', 'delete the copy of a job, or its work tree and branch')
    .argument('<job>', 'its id')
    .action(answering<'job discard'>(async () => (await import('./job-copy.ts')).discardJob))
  add('show', 'show one job: prompt, answer, changed files')
    .argument('<job>', 'its id')
    .action(answering<'job show'>(async () => (await import('./job-command.ts')).showJob))
  add('watch', 'follow a job from start to end')
    .argument('<job>', 'its id')
    .action(answering<'job watch'>(async () => (await import('./job-command.ts')).watchJob))
  add('wait', 'wait until a job ends')
    .argument('<job>', 'its id')
    .action(answering<'job wait'>(async () => (await import('./job-command.ts')).waitForJob))
  add('cancel', 'end a job')
    .argument('<job>', 'its id')
    .action(answering<'job cancel'>(async () => (await import('./job-command.ts')).cancelJob))
}
