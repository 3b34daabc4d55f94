import type { Command } from 'commander'

/** The commands that go on from where a contest is. */
export function addIterationCommands(contest: Command): void {
  step(contest, 'resume', 'continue a contest, and run those again that could not run to their end')
    .option('--only <name>', 'run no other participant or judge again')
    .option('--force', 'with --only: whatever its outcome')
    .action(async (directory: string, options) => {
      const { contestResume } = await import('./contest-iterate.ts')
      process.exitCode = await contestResume(directory, options)
    })

  step(contest, 'rejudge', 'have all judges judge what is sealed again, under new labels, and report').action(
    async (directory: string, options) => {
      const { contestRejudge } = await import('./contest-iterate.ts')
      process.exitCode = await contestRejudge(directory, options)
    },
  )

  step(contest, 'refine', 'start a new round in which participants go on from what they handed in')
    .option('--only <names>', 'only these work again (with commas); the others keep what is sealed', names)
    .option('--feedback <file>', 'feedback for all of them, in place of FEEDBACK.md')
    .action(async (directory: string, options) => {
      const { contestRefine } = await import('./contest-iterate.ts')
      process.exitCode = await contestRefine(directory, options)
    })

  step(contest, 'consult', 'have reviewers write about sealed work without knowing whose it is')
    .argument('[participant]', "whose work; by default everybody's")
    .option('--reviewers <name=agent>', 'who reviews (with commas), in place of the judges', names)
    .option('--refine', 'start a new round in which those reviewed go on, with their reviews as feedback')
    .action(async (directory: string, participant: string | undefined, options) => {
      const { contestConsult } = await import('./contest-consult.ts')
      process.exitCode = await contestConsult(directory, participant, options)
    })

  joining(step(contest, 'chef', 'add a participant that sees the sealed work of others, and makes the best of it'))
    .argument('[command...]', 'the program of the agent command, after --')
    .option('--as <name=agent>', 'its name and agent; as the base or the first donor, under the name chef, by default')
    .option('--base <name>', 'whose work it starts from: NAME or NAME@ROUND')
    .option('--donors <names>', 'whose work it sees (with commas): NAME or NAME@ROUND', names)
    .action(async (directory: string, command: string[], options) => {
      const { contestChef } = await import('./contest-iterate.ts')
      process.exitCode = await contestChef(directory, command, options)
    })

  joining(contest.command('add').summary('write one more participant or judge into contest.yaml').argument('<directory>', 'the contest'))
    .argument('<name=agent>', 'such as grok=grok')
    .argument('[command...]', 'the program of the agent command, after --')
    .option('--judge', 'a judge instead of a participant')
    .option('--json', 'the result as JSON on standard output')
    .action(async (directory: string, who: string, command: string[], options) => {
      const { contestAdd } = await import('./contest-iterate.ts')
      process.exitCode = await contestAdd(directory, who, command, options)
    })
}

/** The options that describe somebody who joins a contest. */
function joining(command: Command): Command {
  return command
    .option('--model <model>', "the agent's own name of a model")
    .option('--family <vendor>', 'the vendor of its model, if agent and model do not tell')
    .option('--files <directory>', 'a directory beside contest.yaml that it sees as /agent')
}

/** A command that runs cells and ends with a report. */
function step(contest: Command, name: string, summary: string): Command {
  return contest
    .command(name)
    .summary(summary)
    .argument('[directory]', 'the contest', '.')
    .option('--parallel <number>', 'cells at once')
    .option('--wait-for-limits <duration>', 'wait so long for a rate limit to end, over what contest.yaml says')
    .option('--json', 'the result as JSON on standard output')
    .option('--quiet', 'no progress')
}

/** Names with commas between them; an option may be given several times. */
function names(value: string, before: readonly string[] = []): string[] {
  return [...before, ...value.split(',').map((each) => each.trim())].filter((each) => each !== '')
}
