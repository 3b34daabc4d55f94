import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock init`, `paddock trust`, `paddock untrust` and `paddock config`. */
export function addConfigCommands(program: Command): void {
  program
    .command('init')
    .summary('ask a few questions and write your settings, config.yaml')
    .option('--yes', 'take the defaults without questions, and write the file')
    .option('--json', 'print JSON; without --yes, nothing is asked or written')
    .action(answering<'init'>(async () => (await import('./init/init.ts')).initCommand))

  program
    .command('trust')
    .summary('trust the .paddock.yaml of this project as it is now')
    .option('--show', 'only print what it asks for')
    .option(...jsonOption)
    .action(answering<'trust'>(async () => (await import('./trust-command.ts')).trustCommand))

  program
    .command('untrust')
    .summary("stop trusting this project's .paddock.yaml")
    .option(...jsonOption)
    .action(answering<'untrust'>(async () => (await import('./trust-command.ts')).untrustCommand))

  const config = program.command('config').summary('show what is set for paddock run, and where')

  config
    .command('show')
    .summary('print every value that applies in this directory')
    .option('--origin', 'print where each value comes from')
    .option(...jsonOption)
    .action(answering<'config show'>(async () => (await import('./config-command.ts')).configShow))

  config
    .command('schema')
    .summary("print the JSON Schema of config.yaml, or of a project's .paddock.yaml")
    .argument('[file]', 'user or project', 'user')
    .action(async (which: string) => {
      const { configSchema } = await import('./config-command.ts')
      process.exitCode = configSchema(which)
    })
}
