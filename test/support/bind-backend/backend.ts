import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Backend, BackendCell, BackendRequest } from '../../../src/cell/backend.ts'
import type { BackendLook } from '../../../src/cell/backend-facts.ts'
import { systemPerl } from '../../../src/cell/backends/cell-init.ts'
import { enforce } from '../../../src/cell/backends/enforcement.ts'
import { holdLimits } from '../../../src/cell/backends/hold-limits.ts'
import { hostLauncher, launcher } from '../../../src/cell/backends/launcher.ts'
import { planFile, writePlanFiles } from '../../../src/cell/backends/plan-files.ts'
import { processCell } from '../../../src/cell/backends/process-cell.ts'
import { readSetup, setupFailed } from '../../../src/cell/backends/setup.ts'
import { feed, spawnBuilder } from '../../../src/cell/backends/spawn.ts'
import { rememberTraces, sweepTraces, tracedProcesses } from '../../../src/cell/backends/traces.ts'
import { makeConnector } from '../../../src/cell/network/connector.ts'
import { type CellNetwork, enterNetwork, openListeners } from '../../../src/cell/network/namespace.ts'
import { planLimits } from '../../../src/cell/plan/cell-limits.ts'
import { removeGroup } from '../../../src/cell/resources/cgroup.ts'
import { pipeStreams } from '../../../src/cell/streams/streams.ts'
import { assertInertEntries, inertPathsOf, makeInertEntries } from '../../../src/cell/trees/inert-entries.ts'
import { verifyMounts } from '../../../src/cell/trees/verify-mounts.ts'
import { requireHostProgram } from '../../../src/system/host-program.ts'
import { identify } from '../../../src/system/process-identity.ts'
import { cellMark } from '../../../src/system/process-tree.ts'
import { givenUp, refuseUnenforceable } from './given-up.ts'
import { buildScript } from './script.ts'

const searchPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
const tool = (name: string): string => requireHostProgram(name, searchPath, 'for cells of bind mounts')
/** The machine for limits, without a systemd session. */
const noSession = { searchPath, sessionEnv: {} }
/** Descriptors of the chain of programs, besides its standard streams. */
const fds = { agentStderr: 3, start: 4 }

/** Builds cells from bind mounts by unshare(1) and mount(8). It shows that no other code depends on how a cell is built. */
export function bindMounts(): Backend {
  return { name: 'bind-mounts', postures: ['L2'], look, start, sweep: sweepTraces, processes: tracedProcesses }
}

async function look(): Promise<BackendLook> {
  const limits = planLimits({}, { memoryBytes: 2 ** 30 })
  return {
    checks: [...Object.entries(givenUp).map(([name, detail]) => ({ name, ok: false, detail }))],
    limits: enforce(limits, null, false, ['memory']).limits,
    egress: [
      { modes: ['off', 'allowlist'], ok: true, detail: 'enforced by the gateway' },
      { modes: ['public', 'open'], ok: false, detail: 'there is no packet filter' },
    ],
    terminal: false,
    publish: true,
  }
}

async function start(request: BackendRequest): Promise<BackendCell> {
  const { plan, runDirectory, gateway } = request
  refuseUnenforceable(plan)
  const note = rememberTraces(request)
  const root = path.join(runDirectory, 'root')
  mkdirSync(root)
  const files = writePlanFiles(plan, runDirectory)
  request.place(inertPathsOf(plan), () => makeInertEntries(plan))
  const { cgroup, enforcement } = holdLimits(request.id, plan.limits, plan.degraded, noSession, (cgroups) => note({ cgroups }))
  const script = path.join(runDirectory, 'build.sh')
  const step = { limits: enforcement.prlimit, fds: { ...fds, gate: fds.start } }
  writeFileSync(script, buildScript(plan, { root, files }, launcher(hostLauncher(), plan, step)))

  const streams = await pipeStreams(tool('mkfifo'), runDirectory, request.io.stdin)
  const [stdin, stdout, stderr] = streams.stdio
  const namespaces = [
    '--user',
    '--map-root-user',
    '--net',
    '--ipc',
    '--mount',
    '--propagation',
    'private',
    '--pid',
    '--fork',
    '--kill-child',
  ]
  const chain = [tool('setpriv'), '--pdeathsig', 'KILL', '--', tool('unshare'), ...namespaces, '--', '/bin/sh', script]
  const child = spawnBuilder(chain, [stdin, stdout, 'pipe', stderr, 'pipe'], cellMark(request.id), true)
  for (const each of streams.closeAfterSpawn) closeSync(each)
  const setup = readSetup(child.stderr as Readable)
  let started = false
  const exited = ending(child, setup.text, () => started)
  void exited.then(streams.finish)

  const carrier = child.pid ?? 0
  const network: CellNetwork = {
    network: carrier,
    user: carrier,
    asRoot: process.getuid?.() === 0,
    searchPath,
    perl: systemPerl(searchPath),
  }
  try {
    const failed = exited.then(async ({ setupError }) => Promise.reject(await setupFailed(setupError)))
    failed.catch(() => undefined)
    await Promise.race([setup.built, failed])
    const init = childOf(carrier)
    note({ processes: (await Promise.all([carrier, init].map(identify))).filter((each) => each !== null) })
    for (const each of [carrier, init]) if (cgroup !== null && !cgroup.has(each)) await cgroup.add(each)
    if (gateway.wishes().length > 0) await openListeners(network, gateway)
    assertInertEntries(plan)
    verifyMounts(plan, init)
    started = true
    feed(child, fds.start, 'go\n')
    const connector = (): ReturnType<typeof makeConnector> => makeConnector(enterNetwork(network))
    return processCell({
      init,
      streams,
      enforcement,
      exited,
      cgroup,
      mounter: null,
      perl: network.perl,
      connector,
      hostFile: (target) => planFile(plan, runDirectory, target),
    })
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    for (const each of [streams.stdin, streams.stdout, streams.stderr]) each?.destroy()
    await removeGroup(cgroup)
    throw error
  }
}

/** Returns the pid of the cell's init, the only child of unshare. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim())
}

/** Resolves when unshare exits: its init has then ended, and the kernel has ended all other processes with it (pid_namespaces(7)). */
async function ending(child: ChildProcess, setup: Promise<string>, isStarted: () => boolean): BackendCell['exited'] {
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', (exit, name) => resolve(exit ?? 128 + constants.signals[name ?? 'SIGKILL']))
  })
  return isStarted() ? { code, setupError: '' } : { code: null, setupError: await setup }
}
