import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { PaddockError } from '../../../base/errors.ts'
import type { CellTraffic } from '../../../egress/egress-summary.ts'
import { identify } from '../../../system/process-identity.ts'
import { cellMark } from '../../../system/process-tree.ts'
import type { Backend, BackendCell, BackendRequest } from '../../backend.ts'
import { makeConnector } from '../../network/connector.ts'
import { type CellNetwork, enterNetwork, openListeners } from '../../network/namespace.ts'
import { openRealNetwork, type RealNetwork, requireRealNetwork } from '../../network/real-network.ts'
import { countTraffic, type TrafficCounter } from '../../network/traffic.ts'
import { removeGroup } from '../../resources/cgroup.ts'
import { abandon, drop, type HostStreams, openInnerPipes } from '../../streams/streams.ts'
import { assertInertEntries, inertPathsOf, makeInertEntries } from '../../trees/inert-entries.ts'
import { verifyMounts } from '../../trees/verify-mounts.ts'
import { cellInit, systemPerl } from '../cell-init.ts'
import { lateMounts, type Mounter, startMounter } from '../make-mounts.ts'
import { changedInCopies } from '../plan-copies.ts'
import { planFile, writePlanFiles } from '../plan-files.ts'
import { endInit, processCell } from '../process-cell.ts'
import { requireRootCapabilities } from '../root-capabilities.ts'
import { machineFilter } from '../seccomp/compile.ts'
import { readSetup, setupFailed } from '../setup.ts'
import { feed, spawnBuilder } from '../spawn.ts'
import { rememberTraces, sweepTraces, tracedProcesses } from '../traces.ts'
import { bubblewrapArguments } from './bubblewrap-arguments.ts'
import { lookForBubblewrap } from './bubblewrap-facts.ts'
import { readStatus } from './bubblewrap-status.ts'
import { requireCellBuilders } from './cell-builders.ts'
import { type BubblewrapOptions, fds, prepare } from './prepare-script.ts'

/** Returns the backend that builds cells with bubblewrap(1) in separate namespaces. */
export function bubblewrap(options: BubblewrapOptions): Backend {
  return {
    name: 'bubblewrap',
    postures: ['L1', 'L2'],
    mountsLinks: true,
    look: () => lookForBubblewrap(options),
    start: (request) => start(request, options),
    sweep: sweepTraces,
    processes: tracedProcesses,
  }
}

async function start(request: BackendRequest, options: BubblewrapOptions): Promise<BackendCell> {
  const { plan } = request
  const asRoot = process.getuid?.() === 0
  const realPolicy = plan.egress.mode === 'public' || plan.egress.mode === 'open' ? plan.egress : null
  if (realPolicy !== null) requireRealNetwork(realPolicy.mode, options.searchPath, asRoot)
  const perl = systemPerl(options.searchPath)
  // If the host needs access to the cell's network, it is created before bwrap, in a user namespace that stays reachable.
  const network = (pid: number): CellNetwork => ({
    network: pid,
    user: pid,
    asRoot,
    searchPath: options.searchPath,
    perl,
  })
  const networked = request.gateway.wishes().length > 0 || plan.publish.length > 0
  if (asRoot) requireRootCapabilities(networked)
  // As root, each cell has a uid that nothing else on the host uses, so rlimits count only the cell's processes.
  const uid = asRoot ? randomInt(1_600_000_000, 1_700_000_000) : null

  const nested = plan.degraded.includes('nested-sandbox')
  const builders = requireCellBuilders(options.searchPath, nested)
  const cellsInit = cellInit(plan, perl, process.arch, fds)
  const filter = machineFilter(process.arch, { nested, hasInit: cellsInit !== null })
  if (filter === null)
    throw new PaddockError('UNENFORCEABLE', `There is no system call filter for ${process.arch}.`, {
      hint: 'Use a machine with x64 or arm64',
    })
  const note = rememberTraces(request)
  const made = await prepare(request, options, { uid, perl, networked, builders, init: cellsInit, note })
  const { chain, detached, sources, cgroup, enforcement, given } = made
  let child: ChildProcess
  try {
    const [stdin, stdout, stderr] = given.stdio
    const descriptors = [stdin, stdout, 'pipe', 'pipe', 'pipe', 'pipe', stderr, 'pipe', 'pipe'] as const
    child = spawnBuilder(chain, descriptors, { ...options.sessionEnv, ...cellMark(request.id) }, detached)
  } catch (error) {
    cgroup?.remove()
    abandon(given, made.streams)
    throw error
  }
  for (const each of given.closeAfterSpawn) closeSync(each)
  // There is no pid if the chain did not start, and zero would mean Paddock itself (cgroups(7)).
  const entersByItself = asRoot && cgroup !== null && cgroup.entrances.length > 0
  const grouped = child.pid === undefined || entersByItself ? undefined : cgroup?.add(child.pid).catch(() => undefined)
  const status = readStatus(child.stdio[fds.status] as Readable)
  const setup = readSetup(child.stderr as Readable)
  const exited = ending(child, status, setup.text)
  let streams: HostStreams | null = made.streams
  void exited.then(() => streams?.finish())
  feed(child, fds.seccomp, filter)

  let mounter: Mounter | null = null
  let real: RealNetwork | null = null
  let counter: TrafficCounter | null = null
  const fail = async (error: unknown): Promise<never> => {
    child.kill('SIGKILL')
    mounter?.end()
    real?.close()
    counter?.close()
    const { setupError } = await exited
    drop(streams)
    await removeGroup(cgroup)
    // If a program of the chain has failed by itself, its output is the cause, and the error in Paddock only a result.
    const isResult = child.exitCode !== null || !(error instanceof PaddockError)
    throw isResult && setupError.trim() !== '' ? await setupFailed(setupError) : error
  }
  let init: number
  let started = false
  try {
    const failed = exited.then(async ({ setupError }): Promise<never> => {
      // Once the cell has started, nothing waits for this promise.
      throw started ? undefined : await setupFailed(setupError)
    })
    failed.catch(() => undefined)
    // Done while the first programs of the chain run: bwrap waits for its options, and mounts these.
    writePlanFiles(plan, request.runDirectory)
    request.place(inertPathsOf(plan), () => makeInertEntries(plan))
    const late = lateMounts(plan.filesystem, sources)
    feed(child, fds.args, bubblewrapArguments(plan, sources, { ownNetwork: !networked, late, init: cellsInit }).join('\0'))
    const mounting = startMounter(perl)
    mounter = mounting
    init = await Promise.race([status.init, failed])
    // The init waits at the gate with all its descriptors.
    streams ??= openInnerPipes(init, fds.agentStderr, request.io.stdin)
    if (realPolicy !== null) {
      counter = countTraffic(child.pid ?? 0)
      real = openRealNetwork(network(child.pid ?? 0), realPolicy, uid)
    }
    const pids = [child.pid ?? 0, init, ...(real === null ? [] : [real.pid])]
    const noted = Promise.all(pids.map(identify)).then((found) => note({ processes: found.filter((each) => each !== null) }))
    noted.catch(() => undefined)
    const listening = networked ? openListeners(network(child.pid ?? 0), request.gateway) : Promise.resolve()
    listening.catch(() => undefined)
    // The chain was moved into the group while it was running. Its init, the ancestor of the agent's processes, must be in the group.
    await grouped
    if (cgroup !== null && !cgroup.has(init)) await cgroup.add(init)
    feed(child, fds.gate, 'go')
    await listening
    await Promise.race([setup.built, failed])
    await real?.ready
    await noted
    assertInertEntries(plan)
    const links = plan.filesystem.flatMap((each) => (each.kind === 'link' ? [each.target] : []))
    await mounting.make(init, late, links)
    verifyMounts(plan, init)
    feed(child, fds.start, 'go\n')
    started = true
  } catch (error) {
    return fail(error)
  }
  void exited.then(() => {
    mounter?.end()
    counter?.hold()
    real?.close()
  })
  const connector = (): ReturnType<typeof makeConnector> => makeConnector(enterNetwork(network(networked ? (child.pid ?? 0) : init)))
  const traffic = (): CellTraffic | null => {
    const total = counter?.read() ?? null
    counter?.close()
    return total
  }
  const hostFile = (target: string): string | null => planFile(plan, request.runDirectory, target)
  const discarded = (): readonly string[] => changedInCopies(plan, request.runDirectory)
  return processCell({ init, streams, enforcement, exited, cgroup, perl, mounter, connector, traffic, discarded, hostFile })
}

async function ending(child: ChildProcess, status: ReturnType<typeof readStatus>, setup: Promise<string>): BackendCell['exited'] {
  const init = status.init.then(identify)
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  // The report from bwrap proves nothing, because an agent may have tampered with the init. When the init ends, every process of the cell
  // ends (pid_namespaces(7)), so this code ends it.
  const last = await Promise.race([init, Promise.resolve(null)])
  if (last !== null) await endInit(last)
  // All processes of the cell are gone. Another process that still holds a pipe is not waited for.
  const [code, setupError] = await Promise.all([within(1000, status.exitCode, null), within(1000, setup, '')])
  return { code, setupError }
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
