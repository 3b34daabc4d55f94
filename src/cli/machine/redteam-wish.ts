import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter } from '../../adapters/adapter.ts'
import { searchDirectories } from '../../adapters/agent-facts.ts'
import { adapterNames, findAdapter } from '../../adapters/find-adapter.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { Host, RunHost } from '../../host.ts'
import type { redteam, Stage } from '../../redteam/redteam.ts'
import { prepare } from '../../run/prepare-run.ts'
import { privateHome } from '../../run/private-home.ts'
import type { RunOptions } from '../run/options.ts'
import { askedBy } from '../run/run-request.ts'

/** The options of `paddock redteam`, as commander gives them. */
export type RedteamOptions = Pick<
  RunOptions,
  | 'model'
  | 'baseUrl'
  | 'egress'
  | 'allow'
  | 'preset'
  | 'ro'
  | 'env'
  | 'login'
  | 'memory'
  | 'allowDegraded'
  | 'nestedSandbox'
  | 'quiet'
  | 'json'
> & { readonly timeout: string }

/** Returns the request of `paddock run` with the same arguments in the staged project, for a user with the staged home. */
export async function wishOf(
  { project, home }: Stage,
  words: readonly string[],
  isCommand: boolean,
  options: RedteamOptions,
  host: Host,
  shown: (line: string) => void,
  ends: (() => Promise<void>)[],
): ReturnType<Parameters<typeof redteam>[0]['wish']> {
  const { userHome } = host.paths
  if (!isCommand && options.login && adapterNames.includes(words[0] ?? '')) lendLogins(findAdapter(words[0] ?? ''), userHome, home)
  const staged: RunHost = {
    ...host,
    paths: { ...host.paths, userHome: home },
    // Programs are found in the real home.
    env: { ...host.env, PATH: searchDirectories(host.env['PATH'] ?? '', userHome).join(path.delimiter) },
    installation: (adapter) => adapter.locate(searchDirectories(host.env['PATH'] ?? '', userHome)),
  }
  const none = {
    secret: [],
    untrusted: [],
    webTools: true,
    repo: [],
    ask: [],
    block: [],
    inspect: [],
    rule: [],
    rules: [],
    rw: [],
    publish: [],
    projectFile: false,
    brief: false,
  }
  const { request } = askedBy(
    { words, isCommand, terminal: false },
    { ...options, ...none },
    () => true,
    { files: [], project: null },
    staged.paths,
  )
  const run = await prepare(
    request,
    { cwd: project, project, place: '', now: Date.now(), needsCredential: false, mayShowLogin: true },
    staged,
  )
  const { spec, notes, end } = await run.forCell({
    name: `run ${isCommand ? path.basename(words[0] ?? '') : run.adapter.name}`,
    home: privateHome(project, run.adapter.name, host.paths.state),
  })
  for (const each of [...run.notes, ...notes]) shown(each)
  const mounts = spec.mounts.map((each) => (each.source.startsWith(`${home}/`) ? { ...each, source: realpathSync(each.source) } : each))
  ends.push(end)
  return { spec: { ...spec, mounts } satisfies CellSpec, agent: isCommand ? null : run.adapter }
}

/** Links an agent's login into the staged home if Paddock has no placeholder for it. */
function lendLogins(agent: AgentAdapter, userHome: string, home: string): void {
  if (agent.placeholders.stored !== undefined) return
  for (const each of agent.credentials(userHome)) {
    if (each.kind !== 'snapshot' || !existsSync(each.hostPath)) continue
    const link = path.join(home, each.homePath)
    mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 })
    symlinkSync(realpathSync(each.hostPath), link)
  }
}
