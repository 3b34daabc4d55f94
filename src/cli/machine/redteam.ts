import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter } from '../../adapters/adapter.ts'
import { searchDirectories } from '../../adapters/facts.ts'
import { adapterNames, findAdapter } from '../../adapters/registry.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import { hostResolver } from '../../egress/dns/resolver.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import type { Host, RunHost } from '../../host.ts'
import { formatDuration } from '../../quantities.ts'
import { type RedteamReport, redteam, type Stage } from '../../redteam/redteam.ts'
import { secretWord } from '../../redteam/secret-words.ts'
import { prepare } from '../../run/prepare.ts'
import { privateHome } from '../../run/private-home.ts'
import { printable } from '../../text.ts'
import { openCliHost } from '../open-host.ts'
import type { RunOptions } from '../run/options.ts'
import { askedBy } from '../run/request.ts'
import { endLines, startLine } from '../run/run-lines.ts'
import { printJson, say } from '../terminal/output.ts'
import { onEndSignal } from '../terminal/signals.ts'

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

/** `paddock redteam`: 0 where no canary moved, 1 where one did, 125 where nothing could be shown. */
export async function redteamCommand(words: readonly string[], options: RedteamOptions): Promise<number> {
  if (words.length === 0)
    throw new PaddockError('BAD_INPUT', 'paddock redteam needs an agent, or -- and a command.', {
      hint: 'paddock redteam claude    or    paddock redteam -- sh attack.sh',
    })
  const isCommand = process.argv.at(-words.length - 1) === '--'
  // Before anything reads the environment: no cell may find it.
  const variable = { name: 'PADDOCK_REDTEAM_TOKEN', value: secretWord() }
  process.env[variable.name] = variable.value
  const shown = options.quiet === true ? () => undefined : say
  const host: Host = openCliHost({
    onPlan: (plan) => plan.name !== 'redteam sibling' && shown(startLine(plan, host.backend)),
  })
  const ro = options.ro.map((each) => path.resolve(each))
  const ends: (() => Promise<void>)[] = []
  const cancel = new AbortController()
  const unlisten = onEndSignal(() => cancel.abort())
  try {
    const report = await redteam({
      cells: host.cells,
      machine: host.machine,
      resolver: hostResolver(),
      audit: host.audit.write,
      state: host.paths.state,
      temporary: path.join(host.paths.state, 'scratch'),
      variable,
      terminal: process.stdin.isTTY === true ? process.stdin : null,
      wish: (stage) => wishOf(stage, words, isCommand, { ...options, ro }, host, shown, ends),
      onSet: (count) => shown(`${count} canaries are set; it has ${options.timeout} to reach them`),
      signal: cancel.signal,
    })
    if (options.json === true) printJson(report)
    else for (const each of reportLines(report)) process.stdout.write(`${each}\n`)
    return exitCodeOf(report, isCommand)
  } finally {
    if (process.stdin.isTTY === true) process.stdin.destroy()
    unlisten()
    for (const each of ends) await each()
    host[Symbol.dispose]()
  }
}

/** What `paddock run` would make of the same words in the staged project, for a user whose home is the staged one. */
async function wishOf(
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
    // What is installed in the real home is found there all the same.
    env: { ...host.env, PATH: searchDirectories(host.env['PATH'] ?? '', userHome).join(path.delimiter) },
    installation: (adapter) => adapter.locate(searchDirectories(host.env['PATH'] ?? '', userHome)),
  }
  const none = { secret: [], repo: [], ask: [], block: [], inspect: [], rule: [], rules: [], rw: [], publish: [], projectFile: false }
  const { request } = askedBy(
    { words, isCommand, terminal: false },
    { ...options, ...none },
    () => true,
    { files: [], project: null },
    staged.paths,
  )
  const run = await prepare(request, { cwd: project, project, place: '', now: Date.now(), needsCredential: false }, staged)
  const { spec, notes, end } = await run.forCell({
    name: `run ${isCommand ? path.basename(words[0] ?? '') : run.adapter.name}`,
    home: privateHome(project, run.adapter.name, host.paths.state),
  })
  for (const each of [...run.notes, ...notes]) shown(each)
  const mounts = spec.mounts.map((each) => (each.source.startsWith(`${home}/`) ? { ...each, source: realpathSync(each.source) } : each))
  ends.push(end)
  return { spec: { ...spec, mounts } satisfies CellSpec, agent: isCommand ? null : run.adapter }
}

/** The login of an agent that nothing can stand for, as a link in the staged home. */
function lendLogins(agent: AgentAdapter, userHome: string, home: string): void {
  if (agent.placeholders.stored !== undefined) return
  for (const each of agent.credentials(userHome)) {
    if (each.kind !== 'snapshot' || !existsSync(each.hostPath)) continue
    const link = path.join(home, each.homePath)
    mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 })
    symlinkSync(realpathSync(each.hostPath), link)
  }
}

function exitCodeOf({ moved, cell, said }: RedteamReport, isCommand: boolean): number {
  const { ending } = cell
  if (moved) return exitCodes.no
  if (ending.kind === 'cancelled') return exitCodes.cancelled
  if (ending.kind === 'start-failed') return exitCodes.cannot
  if (isCommand) return ending.kind === 'exited' && (ending.code === 126 || ending.code === 127) ? ending.code : exitCodes.done
  return didNotWork(said) ? exitCodes.cannot : exitCodes.done
}

/** An agent that used no tool and did not end well has tried nothing, so that nothing was shown. */
function didNotWork(said: RedteamReport['said']): boolean {
  return said.ok !== true && said.toolCalls === 0
}

function reportLines(report: RedteamReport): readonly string[] {
  const { canaries, unset, said, searched } = report
  const moved = canaries.filter((each) => each.moved)
  const lines = [
    ...canaries.map((each) => `${each.moved ? '✗ MOVED' : '✓'} ${each.id}  ${each.what}: ${each.evidence}`),
    ...unset.map((each) => `– ${each.id}  not set: ${each.why}`),
    ...(said.tried.length === 0 ? [] : ['', 'what it says that it tried:', ...said.tried.map((each) => `  ${each}`)]),
    ...(said.last.length === 0 ? [] : ['', 'what it said last:', ...said.last.map((each) => `  ${each}`)]),
    '',
    ...endLines(report.cell),
    ...(report.agent !== 'command' && didNotWork(said)
      ? [
          `${report.agent} used no tool and did not end well, so nothing was shown${said.trouble.length === 0 ? '' : `: ${said.trouble.join(' ')}`}`,
        ]
      : []),
    ...(searched.whole ? [] : ['some of what it wrote could not be looked at']),
    `${report.agent} · ${report.cell.posture} · ${moved.length} of ${canaries.length} canaries moved (${formatDuration(report.durationMs)})`,
  ]
  return lines.map(printable)
}
