import { PaddockError } from '../../base/errors.ts'
import type { AgentAdapter, AgentCommand, AgentWishes } from '../adapter.ts'

/** Any program. `args` is its whole command line, found in the cell's PATH. It reads the prompt from standard input. */
export const command: AgentAdapter = {
  name: 'command',
  family: 'none',
  tried: true,
  takesCommand: true,
  reports: 'nothing',
  program: '',
  installHint: 'name a program that is installed',
  hosts: [],
  stateDirectory: '.local/state/command',
  credentials: () => [],
  placeholders: { keys: {} },
  headless: start,
  interactive: start,
  locate: async () => ({ program: '', mounts: [], pathEntries: [], version: null }),
  parser: async () => (await import('./output.ts')).commandParser(),
}

function start({ args }: AgentWishes): AgentCommand {
  if ((args[0] ?? '') === '') {
    throw new PaddockError('BAD_INPUT', 'The agent "command" has no command to run.', {
      hint: 'Give the program and its arguments as a list, for example ["python3", "solve.py"]',
    })
  }
  return { argv: args, env: {}, homeFiles: [] }
}
