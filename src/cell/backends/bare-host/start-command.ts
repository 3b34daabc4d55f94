import type { ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import { connect } from 'node:net'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { PaddockError } from '../../../base/errors.ts'
import { requireHostProgram } from '../../../system/host-program.ts'
import { identify } from '../../../system/process-identity.ts'
import { cellMark, descendants, signal } from '../../../system/process-tree.ts'
import type { BackendCell, BackendRequest } from '../../backend.ts'
import type { Connector } from '../../network/connector.ts'
import { removeGroup } from '../../resources/cgroup.ts'
import { memoryHeld } from '../../resources/memory-held.ts'
import type { UserSession } from '../../resources/systemd-scope.ts'
import { abandon, drop, pipeStreams, terminalStreams } from '../../streams/streams.ts'
import { systemPerl } from '../cell-init.ts'
import { terminalChain } from '../foreground.ts'
import { hostLauncher, launchCommand } from '../launcher.ts'
import { processCell } from '../process-cell.ts'
import { readSetup, setupFailed } from '../setup.ts'
import { feed, spawnBuilder } from '../spawn.ts'
import { endCarriers, rememberTraces } from '../traces.ts'
import { holdOnHost } from './limits.ts'

const program = fileURLToPath(new URL('./bare-host.pl', import.meta.url))
/** Descriptors of the program, besides its standard streams. */
const fds = { agentStderr: 3, gate: 4 }
/** The interval in which the program that watches the others is asked to end, in milliseconds. */
const againMs = 200
/** The number of prctl(2) by architecture. */
const prctl: Readonly<Record<string, number>> = { x64: 157, arm64: 167 }

/** Starts the command of a plan of L0 on this machine, as the user who runs Paddock. */
export async function start(request: BackendRequest, session: UserSession): Promise<BackendCell> {
  const { plan, io, runDirectory } = request
  const number = prctl[process.arch]
  if (plan.egress.mode !== 'open')
    throw new PaddockError('UNENFORCEABLE', `Egress ${plan.egress.mode} cannot be enforced on the bare host.`, {
      hint: 'Use --egress open',
    })
  if (number === undefined)
    throw new PaddockError('UNENFORCEABLE', `L0 needs x64 or arm64, and this machine is ${process.arch}.`, { hint: 'Use another machine' })
  const perl = systemPerl(session.searchPath)
  const tool = (name: string): string => requireHostProgram(name, session.searchPath, 'for commands on the bare host')
  const note = rememberTraces(request)
  const { cgroup, scope, enforcement } = holdOnHost(request.id, plan.limits, plan.degraded, session, (cgroups) => note({ cgroups }))
  const terminal = terminalChain(plan.terminal, perl, () => tool('setsid'))
  const withheld = scope.length === 0 ? [] : Object.keys(session.sessionEnv).filter((each) => !(each in plan.env))
  const chain = [
    ...[...scope, ...terminal.outside, perl, program],
    ...[`${number}`, `${fds.gate}`, `${process.pid}`, withheld.join(','), '--'],
    ...launchCommand(hostLauncher(), plan, { limits: enforcement.prlimit, fds: { ...fds, gate: null }, start: terminal.start }),
  ]
  const streams = plan.terminal
    ? terminalStreams(io.size ?? { columns: 80, rows: 24 })
    : await pipeStreams(tool('mkfifo'), runDirectory, io.stdin)
  let child: ChildProcess
  try {
    const [stdin, stdout, stderr] = streams.stdio
    const env = { ...(scope.length === 0 ? {} : session.sessionEnv), ...plan.env, PERL_BADLANG: '0', ...cellMark(request.id) }
    child = spawnBuilder(chain, [stdin, stdout, 'pipe', stderr, 'pipe'], env, terminal.detached, plan.cwd)
  } catch (error) {
    cgroup?.remove()
    abandon(streams, streams)
    throw error
  }
  for (const each of streams.closeAfterSpawn) closeSync(each)
  const setup = readSetup(child.stderr as Readable)
  let isStarted = false
  const exited = ending(child, request.id, setup.text, () => isStarted)
  void exited.then(() => streams.finish())
  try {
    await Promise.race([
      setup.built,
      exited.then(async ({ setupError }): Promise<never> => {
        throw await setupFailed(setupError)
      }),
    ])
    const init = child.pid ?? 0
    note({ processes: [await identify(init)].filter((each) => each !== null) })
    await cgroup?.add(init)
    isStarted = true
    feed(child, fds.gate, 'go\n')
    const connector = (): Connector => ({ connect: async (port) => connect(port, '127.0.0.1'), close: () => undefined })
    const cell = processCell({ init, streams, enforcement, exited, cgroup, perl, mounter: null, connector, hostFile: () => null })
    return {
      ...cell,
      ...(cell.memoryHeld === undefined ? {} : { memoryHeld: () => memoryHeld([init, ...descendants(init)], null) }),
      kill: () => end(init, exited),
    }
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    drop(streams)
    await removeGroup(cgroup)
    throw error
  }
}

/**
 * Ends all processes of the command. The program that watches them does it: if it were killed itself, they would live on. The command may
 * have stopped it, and stop it again, so it is continued until it has ended, and its processes are killed from here as well.
 */
function end(init: number, exited: BackendCell['exited']): void {
  const again = (): void => {
    signal(init, 'SIGUSR1')
    for (const each of descendants(init)) signal(each, 'SIGKILL')
    signal(init, 'SIGCONT')
  }
  again()
  const timer = setInterval(again, againMs)
  const clear = (): void => clearInterval(timer)
  exited.then(clear, clear)
}

/** Resolves when the command and its processes are gone. If something killed the program that ends them, they are found by their mark. */
async function ending(child: ChildProcess, id: string, setup: Promise<string>, isStarted: () => boolean): BackendCell['exited'] {
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', (exit, name) => resolve(exit ?? 128 + constants.signals[name ?? 'SIGKILL']))
  })
  for (let tries = 0; tries < 20 && endCarriers(id); tries++) await new Promise((resolve) => setTimeout(resolve, 20))
  return isStarted() ? { code, setupError: '' } : { code: null, setupError: await setup }
}
