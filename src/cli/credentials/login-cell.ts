import type { AgentAdapter } from '../../adapters/adapter.ts'
import { searchDirectories } from '../../adapters/agent-facts.ts'
import { adapters } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { Host } from '../../host.ts'

type LoginWay = NonNullable<AgentAdapter['login']>

/** Time limit of a login, which may take a while in a browser. */
const wallMs = 30 * 60_000

/** Returns an agent that supports logging in. @throws PaddockError `BAD_INPUT` */
export function agentOf(name: string): { readonly adapter: AgentAdapter; readonly way: LoginWay } {
  const adapter = adapters.find((each) => each.name === name)
  if (adapter?.login !== undefined) return { adapter, way: adapter.login }
  const names = adapters.filter((each) => each.login !== undefined).map((each) => each.name)
  const near = nearest(name, names)
  throw new PaddockError('BAD_INPUT', `There is no login of ${name}.`, {
    hint: `${near === null ? '' : `Did you mean ${near}? `}The agents are ${names.join(', ')}`,
  })
}

/** Returns the spec of the cell for a login. The cell reaches the agent's hosts, has a separate home, and sees nothing of this machine. */
export async function specOf(
  adapter: AgentAdapter,
  { args: words, env = {} }: LoginWay,
  ports: readonly number[],
  more: readonly string[],
  work: string,
  terminal: boolean,
  host: Host,
): Promise<CellSpec> {
  const home = host.paths.userHome
  const installation = await adapter.locate(searchDirectories(host.env['PATH'] ?? '', home))
  if (installation === null)
    throw new PaddockError('AGENT_NOT_INSTALLED', `${adapter.name} is not installed on this machine.`, { hint: adapter.installHint })
  const credential = adapter.credentials(home).find((each) => each.kind === 'snapshot') ?? null
  const made = adapter.interactive({ model: null, args: [], baseUrl: null, credential, home, cwd: home }, installation)
  return {
    name: `login ${adapter.name}`,
    command: [installation.program, ...words, ...more],
    cwd: home,
    mounts: installation.mounts.map((each) => ({ ...each, reason: 'agent' as const })),
    files: [],
    home: { kind: 'persistent', path: work, others: 'own' },
    homeFiles: made.homeFiles,
    env: { ...made.env, ...env },
    pathEntries: installation.pathEntries,
    egress: { mode: 'allowlist', entries: adapter.hosts },
    limits: { timeout: wallMs },
    publish: ports,
    terminal,
    degraded: [],
  }
}

/** Returns the lines to print before the login starts. */
export function hints(adapter: AgentAdapter, { how }: LoginWay, callbackPorts: readonly number[]): readonly string[] {
  const ports = callbackPorts.map((each) => `-L ${each}:127.0.0.1:${each}`).join(' ')
  return [
    `${adapter.name}: ${how}`,
    callbackPorts.length === 0
      ? 'open the address that it prints in a browser, on any machine'
      : `open the address that it prints in a browser on this machine; on another one after: ssh ${ports} THIS-MACHINE`,
    ...(adapter.tried ? [] : [`the ${adapter.name} adapter was written from its documentation and has not been run with the real CLI.`]),
  ]
}
