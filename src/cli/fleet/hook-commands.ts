import type { Command } from 'commander'
import { dataOption } from './data-option.ts'

/** `paddock hook …` */
export function addHookCommands(program: Command): void {
  const hook = program.command('hook').summary('addresses at which other programs give jobs')
  const add = (name: string, summary: string): Command =>
    hook
      .command(name)
      .summary(summary)
      .option(...dataOption)
      .option('--json', 'as JSON')
  add('create', 'make one; its secret is shown once')
    .argument('<name>', 'what it is called')
    .requiredOption('--agent <name>', 'the agent that gets the jobs')
    .option('--prompt <text>', 'what to do with what comes in')
    .option('--prompt-file <file>', 'the same, from a file; -: from standard input')
    .action(async (name: string, options) => {
      process.exitCode = await (await import('./hook.ts')).createHook(name, options)
    })
  add('list', 'all hooks').action(async (options) => {
    process.exitCode = await (await import('./hook.ts')).listHooks(options)
  })
  add('delete', 'delete a hook; its jobs stay')
    .argument('<name>', 'its name or id')
    .action(async (name: string, options) => {
      process.exitCode = await (await import('./hook.ts')).deleteHook(name, options)
    })
}
