import type { Command } from 'commander'

const steps = [
  ['run', 'run what is open of all contests, and report over all of them'],
  ['report', 'write the report of what there is'],
  ['status', 'say how far each contest is'],
] as const

/** `paddock suite` and its steps. */
export function addSuiteCommands(program: Command): void {
  const suite = program.command('suite').summary('put several agents to many briefs, several times each, with one report over all')
  for (const [name, summary] of steps) {
    const command = suite
      .command(name)
      .summary(summary)
      .argument('[directory]', 'the suite', '.')
      .option('--json', 'the result as JSON on standard output')
    if (name === 'run') {
      command
        .option('--quiet', 'no progress')
        .option('--parallel <number>', 'cells at once')
        .option('--only <briefs>', 'only these briefs: names, with commas between them')
        .option('--retry', 'run participants and judges again that could not run to their end')
        .option('--dry-run', 'say what would be run and what it may cost, and start nothing')
        .option('--fresh', 'start a new round of each contest; the earlier ones are kept')
    }
    command.action(async (directory: string, options) => {
      const { suiteStep } = await import('./suite.ts')
      process.exitCode = await suiteStep(name, directory, options)
    })
  }
  suite
    .command('lint')
    .summary('say what is wrong with each brief, or could be better, before it costs money')
    .argument('[directory]', 'the suite', '.')
    .option('--try', 'run the checks on nothing, on what only ends, and on the oracle; runs no agent')
    .option('--only <briefs>', 'only these briefs: names, with commas between them')
    .option('--parallel <number>', 'cells at once')
    .option('--json', 'the result as JSON on standard output')
    .option('--quiet', 'no progress')
    .action(async (directory: string, options) => {
      const { suiteLint } = await import('./suite-lint.ts')
      process.exitCode = await suiteLint(directory, options)
    })
  suite
    .command('import')
    .summary('make briefs of tasks in the layout of Harbor')
    .argument('<tasks>', 'a directory of tasks, or one task')
    .argument('[directory]', 'the suite that gets them', '.')
    .option('--json', 'the result as JSON on standard output')
    .option('--quiet', 'no progress')
    .action(async (tasks: string, directory: string, options) => {
      const { suiteImport } = await import('./suite-import.ts')
      process.exitCode = await suiteImport(tasks, directory, options)
    })
  suite
    .command('trust')
    .summary('agree to what suite.yaml asks for of yours: variables, secrets, hosts for your credentials')
    .argument('[directory]', 'the suite', '.')
    .option('--show', 'only print what it asks for')
    .option('--json', 'as JSON')
    .action(async (directory: string, options) => {
      const { suiteTrust } = await import('./suite.ts')
      process.exitCode = await suiteTrust(directory, options)
    })
}
