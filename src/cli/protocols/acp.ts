import { Command } from 'commander'
import { serveAcp } from '../../acp/serve-acp.ts'
import { adapterFor } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import { ownProgram } from '../own-program.ts'
import { addRunCommand } from '../run/run-command.ts'
import { version } from '../version.ts'

/** Options of `paddock run` that the editor's prompt replaces, or that would change the output. */
const notHere = ['prompt', 'promptFile', 'continue', 'raw', 'json', 'dryRun', 'report', 'trajectory', 'quiet']

/** `paddock acp`: takes the same arguments as `paddock run`. Only protocol messages may go to standard output. */
export async function acpCommand(words: readonly string[]): Promise<void> {
  const [agent = '', ...args] = await agentOf(words)
  await serveAcp({
    words,
    version,
    program: ownProgram(),
    env: process.env,
    adapter: adapterFor(agent, args),
    notice: (text) => void process.stderr.write(text),
  })
}

/** Returns the agent and its own arguments, parsed as `paddock run` parses them, so that invalid ones are refused before the start. */
async function agentOf(words: readonly string[]): Promise<readonly string[]> {
  const program = new Command('paddock').enablePositionalOptions().exitOverride()
  addRunCommand(program)
  let found: readonly string[] = []
  program.commands[0]?.exitOverride().action((own: string[], options: Readonly<Record<string, unknown>>) => {
    const given = notHere.find((each) => options[each] !== undefined)
    if (given !== undefined)
      throw new PaddockError(
        'BAD_INPUT',
        `--${given.replace(/[A-Z]/g, (each) => `-${each.toLowerCase()}`)} has no effect with paddock acp.`,
        {
          hint: 'Leave it out: prompts come from the editor',
        },
      )
    found = words.at(-own.length - 1) === '--' ? ['command', ...own] : own
  })
  await program.parseAsync(['run', ...words], { from: 'user' })
  if (found.length > 0 && found[0] !== '') return found
  throw new PaddockError('BAD_INPUT', 'paddock acp needs an agent, or -- and a command.', { hint: 'paddock acp claude' })
}
