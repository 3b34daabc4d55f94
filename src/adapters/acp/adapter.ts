import { fileURLToPath } from 'node:url'
import { PaddockError } from '../../base/errors.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import type { AgentAdapter, AgentCommand, AgentWishes, Installation } from '../adapter.ts'
import { locateProgram } from '../locate.ts'
import { ownNode } from '../own-node.ts'
import type { BridgeOrder } from './bridge/bridge-protocol.ts'

/** The path of the bridge. It must be built, because the sources contain only its parts. */
const built = import.meta.url.endsWith('.ts') ? '../../../dist/acp-bridge.mjs' : './acp-bridge.mjs'
const bridgeProgram = '/run/paddock/bin/acp-bridge.mjs'
const bridge: MountWish = {
  source: fileURLToPath(new URL(built, import.meta.url)),
  target: bridgeProgram,
  access: 'ro',
  reason: 'agent',
}

/** Any agent that speaks the Agent Client Protocol on standard input and output. `args` is its whole command line. */
export const acp: AgentAdapter = {
  name: 'acp',
  family: 'various',
  tried: true,
  takesCommand: true,
  reports: 'tokens',
  program: '',
  installHint: 'name a program that is installed',
  hosts: [],
  stateDirectory: '.local/state/acp',
  credentials: () => [],
  placeholders: { keys: {} },
  headless(wishes, installation) {
    if (wishes.baseUrl !== null)
      throw new PaddockError('BAD_INPUT', 'Paddock does not know how this agent takes a base URL.', {
        hint: 'Set it the way that the agent expects, in env or in the command',
      })
    return throughBridge({ argv: [], env: {}, homeFiles: [] }, wishes, installation)
  },
  interactive: noTerminal,
  locate: async () => withBridge({ program: '', mounts: [], pathEntries: [], version: null }),
  parser: async () => (await import('./output.ts')).acpParser(),
}

/**
 * Returns the adapter for a command line. If another adapter has a program of that name, its credentials, hosts and settings are used, and
 * only the protocol differs; the program comes from the user's PATH, never from a contest. Any other program is found in that PATH, or else
 * in the cell.
 */
export function acpOf([program = '']: readonly string[], adapters: readonly AgentAdapter[]): AgentAdapter {
  if (program === '' || program.includes('/')) return acp
  const known = adapters.find((each) => each.program === program)
  if (known === undefined) {
    const locate: AgentAdapter['locate'] = async (search) => {
      const found = await locateProgram(program, search)
      return found === null ? acp.locate(search) : withBridge(found)
    }
    return { ...acp, locate }
  }
  const { sessions: _sessions, usesMcp: _usesMcp, withoutWebTools, ...rest } = known
  return {
    ...rest,
    // The command line is the user's.
    ...(withoutWebTools?.by === 'settings' ? { withoutWebTools } : {}),
    reports: 'tokens',
    headless: (wishes, installation) => throughBridge(known.headless({ ...wishes, args: [], mcp: [] }, installation), wishes, installation),
    interactive: noTerminal,
    locate: async (search) => {
      const found = await known.locate(search)
      return found === null ? null : withBridge(found)
    },
    parser: async () => (await import('./output.ts')).acpParser(),
  }
}

function throughBridge(command: AgentCommand, { args, cwd, model, mcp = [] }: AgentWishes, { program }: Installation): AgentCommand {
  const [first = '', ...rest] = args
  if (first === '')
    throw new PaddockError('BAD_INPUT', 'The agent "acp" has no command to run.', {
      hint: 'Give the program and its arguments as a list, for example ["gemini", "--acp"]',
    })
  const order: BridgeOrder = { cwd, model, mcp }
  const words = [program === '' ? first : program, ...rest]
  return { ...command, argv: [ownNode.program, bridgeProgram, JSON.stringify(order), ...words] }
}

function withBridge(installation: Installation): Installation {
  return {
    ...installation,
    mounts: [ownNode.mount, bridge, ...installation.mounts],
    pathEntries: [...installation.pathEntries, ownNode.pathEntry],
  }
}

function noTerminal(): never {
  throw new PaddockError('BAD_INPUT', 'An agent that speaks ACP has no terminal.', {
    hint: 'Give it a prompt: paddock run --prompt TEXT acp PROGRAM ARGUMENTS',
  })
}
