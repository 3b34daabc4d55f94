import type { Command } from 'commander'
import { dataOption } from './data-option.ts'

/** `paddock agent …` */
export function addAgentCommands(program: Command): void {
  const agent = program.command('agent').summary('the agents of the fleet')
  const add = (name: string, summary: string): Command =>
    agent
      .command(name)
      .summary(summary)
      .option(...dataOption)
      .option('--json', 'as JSON')

  add('create', 'create an agent from its manifest')
    .argument('<file>', 'a manifest (YAML), or - for standard input')
    .action(async (file: string, options) => {
      process.exitCode = await (await import('./agent.ts')).createAgent(file, options)
    })
  add('list', 'the agents and what they do')
    .option('--all', 'archived ones, too')
    .action(async (options) => {
      process.exitCode = await (await import('./agent.ts')).listAgents(options)
    })
  add('show', 'one agent, and why it does not start')
    .argument('<name>', 'its name or id')
    .option('--yaml', 'only its manifest, for a file')
    .action(async (name: string, options) => {
      process.exitCode = await (await import('./agent.ts')).showAgent(name, options)
    })
  add('edit', 'replace the manifest of an agent')
    .argument('<name>', 'its name or id')
    .argument('<file>', 'the new manifest (YAML), or - for standard input')
    .action(async (name: string, file: string, options) => {
      process.exitCode = await (await import('./agent.ts')).editAgent(name, file, options)
    })
  const acts = [
    ['start', 'let an agent work'],
    ['stop', 'let an agent take no more work; its queue stays'],
    ['archive', 'end the jobs of an agent and keep it to be read'],
  ] as const
  for (const [act, summary] of acts)
    add(act, summary)
      .argument('<name>', 'its name or id')
      .action(async (name: string, options) => {
        process.exitCode = await (await import('./agent.ts')).changeAgent(name, act, options)
      })
  add('delete', 'end the jobs of an agent and delete all that is its own')
    .argument('<name>', 'its name or id')
    .action(async (name: string, options) => {
      process.exitCode = await (await import('./agent.ts')).deleteAgent(name, options)
    })
  const memory = program.command('memory').summary('what agents of the fleet remember of their jobs')
  memory
    .command('list')
    .summary('the jobs that an agent remembers')
    .argument('<agent>', 'its name or id')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(async (name: string, options) => {
      process.exitCode = await (await import('./memory.ts')).listMemory(name, options)
    })
  memory
    .command('forget')
    .summary('let an agent forget a job; the job itself stays')
    .argument('<agent>', 'its name or id')
    .argument('[job]', 'the id of the job')
    .option('--all', 'every job')
    .option(...dataOption)
    .option('--json', 'as JSON')
    .action(async (name: string, job: string | undefined, options) => {
      process.exitCode = await (await import('./memory.ts')).forget(name, job, options)
    })
  agent
    .command('schema')
    .summary('the JSON Schema of a manifest')
    .action(async () => {
      process.exitCode = (await import('./agent.ts')).agentSchema()
    })
}
