import { loginFormats } from '../../adapters/agent-facts.ts'
import { exitCodes, messageOf, PaddockError } from '../../base/errors.ts'
import { formatDuration } from '../../base/quantities.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import { disposeLogin, type HostLogin, nameOfLogin } from '../../credentials/agent-login.ts'
import { adoptLogin, workingHome } from '../../credentials/volume/adopt.ts'
import { holdVolume } from '../../credentials/volume/hold-volume.ts'
import { readVolume, type Volume, volumeOf } from '../../credentials/volume/volume.ts'
import { defaultVolume } from '../../credentials/volume/volume-files.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { Host } from '../../host.ts'
import { openCliHost } from '../open-host.ts'
import type { Result } from '../results.ts'
import { attachPipes, attachTerminal, callersInput } from '../run/attach.ts'
import { publishPorts } from '../run/publish.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { OutputGate } from '../terminal/output-gate.ts'
import { say } from '../terminal/terminal-output.ts'
import { agentOf, hints, specOf } from './login-cell.ts'

export interface LoginOptions {
  readonly volume: string
  readonly json?: boolean
}

const lockPatienceMs = 1_000

/**
 * `paddock login`: runs the CLI's own login in a cell that reaches the agent's hosts and sees nothing of this machine. The login uses a
 * separate home, and is moved into the volume at the end, in one step. Exit code 1 if there is no new login.
 */
export async function loginCommand(name: string, args: readonly string[], options: LoginOptions): Promise<Answer<Result<'login'>>> {
  const { adapter, way } = agentOf(name)
  const terminal = options.json !== true && process.stdin.isTTY === true && process.stdout.isTTY === true
  if (way.needsTerminal === true && !terminal)
    throw new PaddockError('BAD_INPUT', `The login of ${name} works only in a terminal.`, { hint: 'Run it in a terminal, without --json' })
  const host = openCliHost()
  try {
    const volume = volumeOf(await loginFormats(), host.paths.state, adapter.name, options.volume)
    using _held = await holdVolume(volume, `paddock login ${adapter.name}`, lockPatienceMs)
    const work = await workingHome(volume)
    try {
      const ports = way.withoutCallback !== undefined && args.includes(way.withoutCallback) ? [] : way.callbackPorts
      const spec = await specOf(adapter, way, ports, args, work, terminal, host)
      for (const each of hints(adapter, way, ports)) say(each)
      const report = await runLogin(spec, ports, terminal, options, host)
      // An interrupted login may look complete, so the old one is kept.
      const cancelled = report.ending.kind === 'cancelled'
      const outcome = cancelled ? 'cancelled' : await adoptLogin(volume, work)
      host.audit.write({ kind: 'credential.login', cell: report.cell, data: { agent: adapter.name, volume: volume.name, outcome } })
      return await answerOf(volume, outcome, report)
    } finally {
      await removeTree(work)
    }
  } finally {
    host[Symbol.dispose]()
  }
}

async function runLogin(
  spec: CellSpec,
  ports: readonly number[],
  terminal: boolean,
  { json }: LoginOptions,
  host: Host,
): Promise<CellReport> {
  const stdin = terminal ? 'pipe' : await callersInput()
  const size = { columns: process.stdout.columns ?? 80, rows: process.stdout.rows ?? 24 }
  const cell = await host.startCell(spec, { stdin, size })
  const detach = terminal
    ? attachTerminal(cell)
    : attachPipes(cell, new OutputGate(), { out: json === true ? process.stderr : process.stdout, firstIs: 'end' })
  const unpublish = await publishPorts.open(ports.map(String), cell, () => undefined).catch((error: unknown) => messageOf(error))
  const report = await cell.done.finally(detach)
  if (typeof unpublish === 'string')
    throw new PaddockError('CELL_FAILED', `${unpublish} The browser returns to it after the login.`, {
      hint: 'End the program that uses it (ss -ltnp shows it), or log in with a code if the agent can',
    })
  unpublish()
  return report
}

type Outcome = Result<'login'>['outcome']

async function answerOf(volume: Volume, outcome: Outcome, { ending }: CellReport): Promise<Answer<Result<'login'>>> {
  const found = await readVolume(volume).catch((): readonly HostLogin[] => [])
  const logins = found.map((each) => ({
    login: nameOfLogin(each),
    kind: each.kind,
    account: each.account,
    expiresAt: each.expiresAt?.toISOString() ?? null,
    renewable: each.refresh !== null,
  }))
  for (const each of found) disposeLogin(each)
  return {
    data: { schemaVersion: 1, agent: volume.agent, volume: volume.name, outcome, ending: ending.kind, logins },
    notes: loginLines(volume, outcome, logins),
    exitCode: outcome === 'taken' ? exitCodes.done : outcome === 'cancelled' ? exitCodes.cancelled : exitCodes.no,
  }
}

function loginLines({ agent, name }: Volume, outcome: Outcome, logins: Result<'login'>['logins']): readonly string[] {
  const what = {
    taken: 'a new login is in',
    unchanged: 'there is no new login; unchanged:',
    none: 'there is no new login; unchanged:',
    cancelled: 'interrupted; unchanged:',
  }[outcome]
  const use =
    name === defaultVolume
      ? `cells of ${agent} get placeholders for it if this machine has no other login`
      : `cells get it with: paddock run --credentials volume:${name} ${agent}`
  return [
    `${what} the volume "${name}" of ${agent}${logins.length === 0 ? ', without any login' : ''}`,
    ...logins.map((each) => `${each.login} · ${each.kind} · ${each.account ?? 'account unknown'} · ${endText(each)}`),
    ...(outcome === 'taken' ? [use] : []),
  ]
}

function endText({ renewable, expiresAt }: Result<'login'>['logins'][number]): string {
  if (renewable) return 'renews itself'
  if (expiresAt === null) return 'no expiry known'
  const left = Date.parse(expiresAt) - Date.now()
  return left <= 0 ? 'has expired' : `expires in ${formatDuration(left)}`
}
