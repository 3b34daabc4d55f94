import type { Command } from 'commander'
import { answering } from '../../terminal/command-answer.ts'
import { prompting, serverCommand } from '../server-command.ts'

/** Adds `paddock hook`. */
export function addHookCommands(program: Command): void {
  const hook = program.command('hook').summary('let other programs create jobs through a URL')
  const add = (name: string, summary: string): Command => serverCommand(hook, name, summary)
  prompting(add('create', 'create a hook; its secret is shown once'))
    .argument('<name>', 'the name of the hook')
    .requiredOption('--agent <name>', 'create the jobs for this agent')
    .action(answering<'hook create'>(async () => (await import('./hook.ts')).createHook))
  add('list', 'list all hooks').action(answering<'hook list'>(async () => (await import('./hook.ts')).listHooks))
  add('delete', 'delete a hook, and keep its jobs')
    .argument('<name>', 'its name or id')
    .action(answering<'hook delete'>(async () => (await import('./hook.ts')).deleteHook))
}
