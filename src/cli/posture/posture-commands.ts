import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { collect } from '../repeatable.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock posture`. */
export function addPostureCommands(program: Command): void {
  const load = async () => await import('./posture-command.ts')
  const posture = program.command('posture').summary('explain isolation levels, and choose one')

  posture
    .command('explain')
    .summary('show what each isolation level promises here')
    .option(...jsonOption)
    .action(answering<'posture explain'>(async () => (await load()).postureExplain))

  posture
    .command('compare')
    .summary('show each guarantee at each level, from runs of paddock verify')
    .option(...jsonOption)
    .action(answering<'posture compare'>(async () => (await load()).postureCompare))

  posture
    .command('advise')
    .summary('recommend a level for an agent on this project')
    .argument('[agent]', 'the agent that would run', 'claude')
    .option('--untrusted <what>', 'name a source of text that others wrote (repeatable)', collect, [])
    .option('--preset <name>', 'assume that the cell reaches this preset (repeatable)', collect, [])
    .option('--repo <repository>', 'assume this access to a repository (repeatable)', collect, [])
    .option(...jsonOption)
    .action(answering<'posture advise'>(async () => (await load()).postureAdvise, 'looking at the project'))
}
