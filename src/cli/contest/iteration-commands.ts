import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds the commands that continue a contest from its current state. */
export function addIterationCommands(contest: Command): void {
  step(contest, 'resume', 'continue a contest, and run agents again that did not finish')
    .option('--only <name>', 'run only this participant or judge again')
    .option('--force', 'with --only: run it again whatever its outcome')
    .action(answering<'contest resume'>(async () => (await import('./contest-iterate.ts')).contestResume))

  step(contest, 'rejudge', 'have all judges judge the sealed work again, under new labels, and report').action(
    answering<'contest rejudge'>(async () => (await import('./contest-iterate.ts')).contestRejudge),
  )

  step(contest, 'refine', 'start a new round in which participants continue their submissions')
    .option('--only <names>', 'run only these again (comma-separated); the others keep their seals', names)
    .option('--feedback <file>', 'give all of them this feedback instead of FEEDBACK.md')
    .action(answering<'contest refine'>(async () => (await import('./contest-iterate.ts')).contestRefine))

  step(contest, 'consult', 'have reviewers comment on sealed work without knowing whose it is')
    .argument('[participant]', 'the participant whose work to review (default: all)')
    .option('--reviewers <name=agent>', 'use these reviewers (comma-separated) instead of the judges', names)
    .option('--refine', 'start a new round with the reviews as feedback')
    .action(answering<'contest consult'>(async () => (await import('./contest-consult.ts')).contestConsult))

  joining(step(contest, 'chef', "add a participant that combines the best of others' sealed work"))
    .argument('[command...]', 'the program of the agent command, after --')
    .option('--as <name=agent>', 'use this name and agent (default: chef, and the agent of the base)')
    .option('--base <name>', 'start from the work of NAME or NAME@ROUND')
    .option('--donors <names>', 'show it this work (comma-separated): NAME or NAME@ROUND', names)
    .action(answering<'contest chef'>(async () => (await import('./contest-iterate.ts')).contestChef))

  joining(contest.command('add').summary('add a participant or judge to contest.yaml').argument('<directory>', 'the contest'))
    .argument('<name=agent>', 'its name and agent, such as grok=grok')
    .argument('[command...]', 'the program of the agent command, after --')
    .option('--judge', 'add a judge instead of a participant')
    .option(...jsonOption)
    .action(answering<'contest add'>(async () => (await import('./contest-iterate.ts')).contestAdd))
}

/** Adds the options that describe a new participant or judge. */
function joining(command: Command): Command {
  return command
    .option('--model <model>', 'use this model, as the agent names it')
    .option('--family <vendor>', 'set the vendor of its model if agent and model do not determine it')
    .option('--files <directory>', 'show it this directory next to contest.yaml as /agent')
}

/** Adds a command that runs cells and ends with a report. */
function step(contest: Command, name: string, summary: string): Command {
  return contest
    .command(name)
    .summary(summary)
    .argument('[directory]', 'the contest', '.')
    .option('--parallel <number>', 'run this many cells at once')
    .option('--wait-for-limits <duration>', 'wait this long for a rate limit to end')
    .option(...jsonOption)
    .option('--quiet', 'print no progress')
}

/** Splits names at commas. The option may be given several times. */
function names(value: string, before: readonly string[] = []): string[] {
  return [...before, ...value.split(',').map((each) => each.trim())].filter((each) => each !== '')
}
