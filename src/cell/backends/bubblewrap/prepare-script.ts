import { fchownSync, readlinkSync } from 'node:fs'
import { requireHostProgram } from '../../../system/host-program.ts'
import type { BackendRequest } from '../../backend.ts'
import type { CellCgroup } from '../../resources/cgroup.ts'
import type { UserSession } from '../../resources/systemd-scope.ts'
import { seesForeignDescriptors } from '../../streams/pipes.ts'
import { abandon, type Given, type HostStreams, innerPipes, pipeStreams, terminalStreams } from '../../streams/streams.ts'
import type { CellInit } from '../cell-init.ts'
import type { Enforcement } from '../enforcement.ts'
import { terminalChain } from '../foreground.ts'
import { holdLimits } from '../hold-limits.ts'
import { hostLauncher, launchCommand } from '../launcher.ts'
import { makeLayers, overlayCommand, overlaysDirectory } from '../overlays.ts'
import { makeCopies } from '../plan-copies.ts'
import { planFilesDirectory } from '../plan-files.ts'
import { overlaysIn, type Sources, stage, stageCommand, unstaged } from '../staging.ts'
import type { CellBuilders } from './cell-builders.ts'

/** Descriptor numbers of the chain of programs: among others bwrap's gate, its status and its options. */
export const fds = { gate: 3, status: 4, args: 5, agentStderr: 6, seccomp: 7, start: 8 }

export type BubblewrapOptions = UserSession

export interface Prepared {
  /** The command line of the chain: each program starts the next, from the first one on the host to the agent. */
  readonly chain: readonly string[]
  /** True if the first program must be spawned in a new session. */
  readonly detached: boolean
  readonly sources: Sources
  readonly cgroup: CellCgroup | null
  readonly enforcement: Enforcement
  /** The descriptors for the first program. */
  readonly given: Given<number | 'ignore'>
  /** The host's ends of the streams. Null if the first program creates the pipes itself. */
  readonly streams: HostStreams | null
}

/** Creates everything that must exist before the first program of the chain starts. If one step fails, removes everything. */
export async function prepare(
  request: BackendRequest,
  options: BubblewrapOptions,
  how: {
    readonly uid: number | null
    readonly perl: string
    readonly networked: boolean
    readonly builders: CellBuilders
    readonly init: CellInit | null
    /** Receives the control groups that are about to be created. */
    readonly note: (traces: { readonly cgroups: readonly string[] }) => void
  },
): Promise<Prepared> {
  const { plan, io } = request
  const { uid, builders } = how
  const tool = (name: string, purpose: string): string => requireHostProgram(name, options.searchPath, purpose)
  // Another program creates the pipes, so the rest is prepared meanwhile.
  const isInner = !plan.terminal && uid !== null && seesForeignDescriptors()
  const pipes = plan.terminal || isInner ? null : pipeStreams(tool('mkfifo', 'for the pipes of a cell'), request.runDirectory, io.stdin)
  pipes?.catch(() => undefined)
  let cgroup: CellCgroup | null = null
  try {
    makeLayers(plan, request.id)
    const hasOverlays = overlaysIn(plan).length > 0
    const overlays = hasOverlays ? overlaysDirectory(request.runDirectory, uid !== null) : ''
    const own = { files: planFilesDirectory(request.runDirectory), copies: makeCopies(plan, request.runDirectory), overlays }
    const staged = uid === null ? { stagings: [], sources: unstaged(own) } : stage(plan, own)
    const held = holdLimits(request.id, plan.limits, plan.degraded, options, (cgroups) => how.note({ cgroups }))
    const { scope, enforcement } = held
    cgroup = held.cgroup
    const setsid = (): string => tool('setsid', 'to give the cell a terminal of its own')
    const terminal = terminalChain(plan.terminal, how.perl, setsid)
    const namespaces = [
      ...(how.networked || hasOverlays ? ['--user', '--map-root-user'] : []),
      ...(how.networked ? ['--net'] : []),
      ...(hasOverlays ? ['--mount'] : []),
    ]
    const chain = (): readonly string[] => [
      ...scope,
      ...terminal.outside,
      ...(uid === null
        ? []
        : stageCommand(how.perl, uid, staged.stagings, {
            entrances: cgroup?.entrances ?? [],
            pipes: inner,
          })),
      ...(namespaces.length > 0 || builders.own ? [builders.unshare, ...namespaces, '--'] : []),
      ...overlayCommand({ perl: how.perl, directory: overlays, id: request.id }, plan, staged.sources),
      ...[builders.bwrap, '--args', `${fds.args}`, '--json-status-fd', `${fds.status}`],
      ...['--block-fd', `${fds.gate}`, '--seccomp', `${fds.seccomp}`],
      ...[
        '--',
        ...(how.init?.words ?? []),
        ...launchCommand(hostLauncher(), plan, {
          limits: enforcement.prlimit,
          fds: { ...fds, gate: how.init === null ? fds.start : null },
          start: terminal.start,
        }),
      ],
    ]
    const inner = [
      ...(isInner && io.stdin === 'pipe' ? [['read', 0] as const] : []),
      ...(isInner ? [['write', 1] as const, ['write', fds.agentStderr] as const] : []),
    ]
    const made = { chain: chain(), detached: terminal.detached, sources: staged.sources, cgroup, enforcement }
    if (uid !== null && typeof io.stdin === 'object' && 'descriptor' in io.stdin) givePipe(io.stdin.descriptor, uid)
    if (isInner) return { ...made, given: innerPipes(io.stdin, request.runDirectory), streams: null }
    const streams = pipes === null ? terminalStreams(io.size ?? { columns: 80, rows: 24 }) : await pipes
    return { ...made, given: streams, streams }
  } catch (error) {
    cgroup?.remove()
    const unused = await pipes?.catch(() => null)
    if (unused) abandon(unused, unused)
    throw error
  }
}

/** Gives a pipe to the cell's user. Opening /dev/stdin again needs permission on the pipe (proc(5)), which belongs to root. */
function givePipe(descriptor: number, uid: number): void {
  if (readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('pipe:')) fchownSync(descriptor, uid, uid)
}
