import type { AgentAdapter } from '../../adapters/adapter.ts'

/** Something of the user's that an agent has outside a cell and not in it, and the way to let it in. */
export interface LeftOut {
  readonly what: string
  readonly setting: string
}

/** Returns what an agent that a shim starts does not have. The settings are keys of config.yaml, or of a trusted .paddock.yaml. */
export function leftOutOf({ stateDirectory }: Pick<AgentAdapter, 'stateDirectory'>): readonly LeftOut[] {
  return [
    {
      what: `conversations, settings and MCP servers in ~/${stateDirectory}; the agent has a private home for each project`,
      setting: `run.ro: [~/${stateDirectory}/FILE]`,
    },
    {
      what: 'servers on the loopback of this machine, such as MCP servers',
      setting: 'run.egress.allow: ["NAME.test:PORT=127.0.0.1:PORT"]',
    },
    { what: 'files outside the project', setting: 'run.ro: [PATH] or run.rw: [PATH]' },
    { what: 'variables of the caller, such as keys', setting: 'run.env: [NAME]' },
    { what: 'hosts that the agent itself does not need', setting: 'run.egress.presets: [npm] or run.egress.allow: ["HOST:PORT"]' },
  ]
}
