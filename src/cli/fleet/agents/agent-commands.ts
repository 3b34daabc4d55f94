import type { Command } from 'commander'
import { answering } from '../../terminal/command-answer.ts'
import { serverCommand } from '../server-command.ts'

const acts = [
  ['start', 'let an agent work'],
  ['stop', 'stop an agent from taking work, and keep its queue'],
  ['archive', 'end the jobs of an agent, and keep it readable'],
] as const

/** Adds `paddock agent` and `paddock memory`. */
export function addAgentCommands(program: Command): void {
  const agent = program.command('agent').summary('create, change and end the agents of the fleet')
  const add = (name: string, summary: string): Command => serverCommand(agent, name, summary)

  add('create', 'create an agent from its manifest')
    .argument('<file>', 'a manifest (YAML), or - for standard input')
    .action(answering<'agent create'>(async () => (await import('./agent-command.ts')).createAgent))
  add('list', 'list the agents and what they are doing')
    .option('--all', 'also list archived agents')
    .action(answering<'agent list'>(async () => (await import('./agent-command.ts')).listAgents))
  add('show', 'show one agent, and why it does not start')
    .argument('<name>', 'its name or id')
    .option('--yaml', 'print only its manifest')
    .action(answering<'agent show'>(async () => (await import('./agent-command.ts')).showAgent))
  add('edit', 'replace the manifest of an agent')
    .argument('<name>', 'its name or id')
    .argument('<file>', 'the new manifest (YAML), or - for standard input')
    .action(answering<'agent edit'>(async () => (await import('./agent-command.ts')).editAgent))
  add('approve', 'approve a manifest that waits for an owner')
    .argument('<name>', 'its name or id')
    .argument('<version>', 'the version that `paddock agent show` prints')
    .option('--refuse', 'drop it instead, and keep the manifest that was approved before')
    .action(answering<'agent approve'>(async () => (await import('./agent-command.ts')).approveAgent))
  for (const [act, summary] of acts)
    add(act, summary)
      .argument('<name>', 'its name or id')
      .action(
        answering<'agent start'>(async () => {
          const { changeAgent } = await import('./agent-command.ts')
          return (name: string, options: Parameters<typeof changeAgent>[2]) => changeAgent(name, act, options)
        }),
      )
  add('delete', 'end the jobs of an agent and delete all its data')
    .argument('<name>', 'its name or id')
    .action(answering<'agent delete'>(async () => (await import('./agent-command.ts')).deleteAgent))
  agent
    .command('schema')
    .summary('print the JSON Schema of a manifest')
    .action(async () => {
      process.exitCode = (await import('./agent-command.ts')).agentSchema()
    })

  const memory = program.command('memory').summary('list and delete what agents remember of their jobs')
  serverCommand(memory, 'list', 'list the jobs that an agent remembers')
    .argument('<agent>', 'its name or id')
    .action(answering<'memory list'>(async () => (await import('./memory-command.ts')).listMemory))
  serverCommand(memory, 'forget', 'let an agent forget a job, and keep the job itself')
    .argument('<agent>', 'its name or id')
    .argument('[job]', 'the id of the job')
    .option('--all', 'forget every job')
    .action(answering<'memory forget'>(async () => (await import('./memory-command.ts')).forget))
}
