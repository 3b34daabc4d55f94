import type { Command } from 'commander'

/** The commands that go on from where a contest is. */
export function addIterationCommands(contest: Command): void {
  step(contest, 'resume', 'go on with a contest that was begun, and run those again that could not run to their end')
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
    .option('--feedback <file>', 'what all of them are told, in place of FEEDBACK.md')
    .action(async (directory: string, options) => {
      const { contestRefine } = await import('./contest-iterate.ts')
      process.exitCode = await contestRefine(directory, options)
    })
}

/** A command that runs cells and ends with a report. */
function step(contest: Command, name: string, summary: string): Command {
  return contest
    .command(name)
    .summary(summary)
    .argument('[directory]', 'the contest', '.')
    .option('--parallel <number>', 'cells at once')
    .option('--json', 'the result as JSON on standard output')
    .option('--quiet', 'no progress')
}

/** Names with commas between them; an option may be given several times. */
function names(value: string, before: readonly string[] = []): string[] {
  return [...before, ...value.split(',').map((each) => each.trim())].filter((each) => each !== '')
}
