import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { PaddockError } from '../../../errors.ts'
import { identify, isRunning } from '../../../files/process-identity.ts'
import { findTool } from '../../../files/system-tools.ts'
import type { Backend, BackendCell, BackendRequest } from '../../backend.ts'
import { makeConnector } from '../../network/connector.ts'
import { type CellNetwork, enterNetwork, openListeners } from '../../network/namespace.ts'
import { openRealNetwork, type RealNetwork, requireRealNetwork } from '../../network/real-network.ts'
import { countTraffic, type TrafficCounter } from '../../network/traffic.ts'
import type { CellCgroup } from '../../resources/cgroup.ts'
import { memoryHeld } from '../../resources/memory-held.ts'
import { cellMark, descendants, freeze, signal } from '../../resources/process-tree.ts'
import { leakingDescriptors } from '../../streams/pipes.ts'
import type { Streams } from '../../streams/streams.ts'
import { assertGhosts } from '../../trees/inert-entries.ts'
import { verifyMounts } from '../../trees/verify-mounts.ts'
import { type Enforcement, measured } from '../enforcement.ts'
import { isProgramStopped, signalProgram } from '../foreground.ts'
import { guardFrozen } from '../frozen-guard.ts'
import { machineFilter } from '../seccomp/compile.ts'
import { systemVBytes } from '../system-v.ts'
import { rememberTraces, sweepTraces } from '../traces.ts'
import { bubblewrapArguments } from './arguments.ts'
import { lookForBubblewrap } from './look.ts'
import { abandon, type BubblewrapOptions, fds, prepare } from './prepare.ts'
import { readStatus } from './status.ts'

/** Cells by bubblewrap(1) in namespaces of their own; DESIGN §4. */
export function bubblewrap(options: BubblewrapOptions): Backend {
  return {
    name: 'bubblewrap',
    posture: 'L2',
    look: () => lookForBubblewrap(options),
    start: (request) => start(request, options),
    sweep: sweepTraces,
  }
}

async function start(request: BackendRequest, options: BubblewrapOptions): Promise<BackendCell> {
  const { plan } = request
  const asRoot = process.getuid?.() === 0
  const realPolicy = plan.egress.mode === 'public' || plan.egress.mode === 'open' ? plan.egress : null
  if (realPolicy !== null) requireRealNetwork(realPolicy.mode, options.searchPath, asRoot)
  // Where the host must get into the cell's network, it is made before bwrap, in a user namespace that stays reachable.
  const network = (pid: number): CellNetwork => ({
    pid,
    asRoot,
    searchPath: options.searchPath,
    perl: options.slowHolder === true ? null : findTool('perl', options.searchPath),
  })
  const networked = request.gateway.wishes().length > 0 || plan.publish.length > 0
  // An own uid for every cell of root: nobody else on the host has it, and rlimits count it alone.
  const uid = asRoot ? randomInt(1_600_000_000, 1_700_000_000) : null

  const filter = machineFilter(process.arch, plan.degraded.includes('nested-sandbox'))
  if (filter === null)
    throw new PaddockError('UNENFORCEABLE', `There is no system call filter for ${process.arch}.`, { hint: 'Cells run on x64 and arm64.' })
  const note = rememberTraces(request)
  const { chain, detached, sources, cgroup, enforcement, streams } = await prepare(request, options, {
    uid,
    networked,
    pasta: realPolicy !== null,
    note,
  })
  let child: ChildProcess
  try {
    child = spawnChain(chain, streams, { ...options.sessionEnv, ...cellMark(request.id) }, detached)
  } catch (error) {
    cgroup?.remove()
    abandon(streams)
    throw error
  }
  for (const each of streams.closeAfterSpawn) closeSync(each)
  // Where the chain did not start there is no number; zero would stand for Paddock itself (cgroups(7)).
  const grouped = child.pid === undefined ? undefined : cgroup?.add(child.pid).catch(() => undefined)
  const status = readStatus(child.stdio[fds.status] as Readable)
  const setup = readSetup(child.stderr as Readable)
  const exited = ending(child, status, setup.text)
  void exited.then(streams.finish)
  feed(child, fds.seccomp, filter)
  feed(child, fds.args, bubblewrapArguments(plan, sources, { ownNetwork: !networked }).join('\0'))

  let real: RealNetwork | null = null
  let counter: TrafficCounter | null = null
  const fail = async (error: unknown): Promise<never> => {
    child.kill('SIGKILL')
    real?.close()
    counter?.close()
    const { setupError } = await exited
    for (const each of [streams.stdin, streams.stdout, streams.stderr]) each?.destroy()
    await removeGroup(cgroup)
    // Where a program of the chain has ended, what it said says more than what Paddock stumbled over.
    throw error instanceof PaddockError || setupError.trim() === '' ? error : setupFailed(setupError)
  }
  let init: number
  try {
    const failed = exited.then(({ setupError }) => Promise.reject(setupFailed(setupError)))
    failed.catch(() => undefined)
    init = await Promise.race([status.init, failed])
    if (realPolicy !== null) {
      counter = countTraffic(child.pid ?? 0)
      real = openRealNetwork(network(child.pid ?? 0), realPolicy, uid)
    }
    const pids = [child.pid ?? 0, init, ...(real === null ? [] : [real.pid])]
    const noted = Promise.all(pids.map(identify)).then((found) => note({ processes: found.filter((each) => each !== null) }))
    noted.catch(() => undefined)
    const listening = networked ? openListeners(network(child.pid ?? 0), request.gateway) : Promise.resolve()
    listening.catch(() => undefined)
    // The chain was put into the group while it was at work; its init, the parent of all that is the agent's, must be in it.
    await grouped
    if (cgroup !== null && !cgroup.has(init)) await cgroup.add(init)
    feed(child, fds.gate, 'go')
    await listening
    await Promise.race([setup.built, failed])
    await real?.ready
    await noted
    assertGhosts(plan)
    verifyMounts(plan, init)
    feed(child, fds.start, 'go\n')
  } catch (error) {
    return fail(error)
  }
  void exited.then(() => {
    counter?.hold()
    real?.close()
  })
  const connector = (): ReturnType<typeof makeConnector> => makeConnector(enterNetwork(network(networked ? (child.pid ?? 0) : init)))
  const perl = findTool('perl', options.searchPath)
  const cell = running(init, streams, enforcement, { cgroup, counter, perl }, exited, connector)
  const isMeasured = enforcement.limits.some((each) => each.limit === 'memory' && each.mechanism === measured)
  return isMeasured ? { ...cell, memoryHeld: () => heldBy(init, perl) } : cell
}

/** Memory of the init of a cell and of all below it. */
async function heldBy(init: number, perl: string | null): Promise<number> {
  const systemV = perl === null ? null : await systemVBytes(perl, init)
  return memoryHeld([init, ...descendants(init)], systemV)
}

function spawnChain(
  [program = '', ...args]: readonly string[],
  streams: Streams,
  more: Readonly<Record<string, string>>,
  detached: boolean,
): ChildProcess {
  const [stdin, stdout, stderr] = streams.stdio
  const stdio: ('ignore' | 'pipe' | number)[] = [stdin, stdout, 'pipe', 'pipe', 'pipe', 'pipe', stderr, 'pipe', 'pipe']
  // Looked at just before the spawn, with nothing in between: a terminal of another cell may have come to be.
  const leaks = leakingDescriptors()
  const nothing = leaks.length > 0 ? openSync('/dev/null', 'r') : -1
  for (const leak of leaks) {
    while (stdio.length <= leak) stdio.push('ignore')
    if (leak > fds.start) stdio[leak] = nothing
  }
  try {
    // Out of Paddock's process group: Ctrl-C in the user's terminal would end bwrap, and the cell with it.
    return spawn(program, args, { stdio, detached, cwd: '/', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...more } })
  } finally {
    if (nothing >= 0) closeSync(nothing)
  }
}

function running(
  init: number,
  streams: Streams,
  enforcement: Enforcement,
  { cgroup, counter, perl }: { readonly cgroup: CellCgroup | null; readonly counter: TrafficCounter | null; readonly perl: string | null },
  exited: BackendCell['exited'],
  connector: () => ReturnType<typeof makeConnector>,
): BackendCell {
  let connections: ReturnType<typeof makeConnector> | null = null
  let frozen: readonly number[] = []
  let unguard = (): void => undefined
  return {
    stdin: streams.stdin,
    stdout: streams.stdout,
    stderr: streams.stderr,
    exited,
    limits: enforcement.limits,
    resize: streams.resize,
    outputBytes: streams.outputBytes,
    interrupt: () => signalProgram(init, 'SIGINT'),
    isStopped: () => isProgramStopped(init),
    freeze: () => {
      if (perl === null) return false
      const stopped = freeze(init)
      if (stopped === null) return false
      frozen = stopped
      unguard = guardFrozen(perl, init)
      return true
    },
    goOn: () => {
      unguard()
      for (const each of frozen) signal(each, 'SIGCONT')
      frozen = []
      signalProgram(init, 'SIGCONT')
    },
    terminate: () => {
      const inside = descendants(init)
      // A stopped process gets a SIGTERM when it is continued (signal(7)).
      for (const each of inside) for (const name of ['SIGTERM', 'SIGCONT'] as const) signal(each, name)
    },
    kill: () => {
      // The kernel ends a PID namespace with its init (pid_namespaces(7)); bwrap itself follows.
      signal(init, 'SIGKILL')
    },
    connectInside: (port) => {
      connections ??= connector()
      return connections.connect(port)
    },
    close: async () => {
      connections?.close()
      const told = {
        oomKilled: (cgroup?.oomKills() ?? 0) > 0,
        cpuMs: cgroup?.cpuMs() ?? null,
        peakMemoryBytes: cgroup?.peakMemoryBytes() ?? null,
        traffic: counter?.read() ?? null,
      }
      counter?.close()
      await removeGroup(cgroup)
      return told
    },
  }
}

async function ending(child: ChildProcess, status: ReturnType<typeof readStatus>, setup: Promise<string>): BackendCell['exited'] {
  const init = status.init.then(identify)
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  // What bwrap says is no proof: an agent may have tampered with the init. Its end is the end of every process of the
  // cell (pid_namespaces(7)), so it is made sure of here.
  const last = await Promise.race([init, Promise.resolve(null)])
  if (last !== null) {
    signal(last.pid, 'SIGKILL')
    for (let wait = 1; await isRunning(last); wait = Math.min(wait * 2, 50)) await new Promise((resolve) => setTimeout(resolve, wait))
  }
  // Nobody of the cell is left; whoever else still holds a pipe, by whatever means, is not waited for.
  const [code, setupError] = await Promise.all([within(1000, status.exitCode, null), within(1000, setup, '')])
  return { code, setupError }
}

function setupFailed(said: string): PaddockError {
  const text = said.trim().split('\n').slice(0, 4).join(' · ')
  const hint = /user namespace|Operation not permitted|uid map|No space left/i.test(said)
    ? 'Unprivileged user namespaces seem to be closed here; `paddock doctor` says how to open them.'
    : '`paddock doctor` shows what this machine can do.'
  return new PaddockError('CELL_FAILED', `The cell could not be built: ${text || 'bwrap ended without a word'}`, { hint })
}

function feed(child: ChildProcess, fd: number, text: string | Uint8Array): void {
  const pipe = child.stdio[fd] as Writable
  // The reader may be gone already; what it said is in its status.
  pipe.on('error', () => undefined)
  pipe.end(text)
}

/** A group can be removed a moment after its last process is gone. */
async function removeGroup(cgroup: CellCgroup | null): Promise<void> {
  for (let wait = 1; cgroup !== null && !cgroup.remove() && wait < 500; wait *= 2) await new Promise((resolve) => setTimeout(resolve, wait))
}

function within<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), ms)
    void promise.then((value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}

/** What is said while the cell is being built, and when it is built (the launcher's ACK). */
function readSetup(stream: Readable): { readonly built: Promise<void>; readonly text: Promise<string> } {
  const { promise: built, resolve } = Promise.withResolvers<void>()
  const text = new Promise<string>((done) => {
    let all = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      if (all.length < 8192) all += chunk
      if (all.includes('\u0006')) resolve()
    })
    stream.once('error', () => done(all))
    stream.once('close', () => done(all.replaceAll('\u0006', '')))
  })
  return { built, text }
}
