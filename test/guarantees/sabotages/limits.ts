import { PassThrough } from 'node:stream'
import type * as Enforcement from '../../../src/cell/backends/enforcement.ts'
import type * as Filesystem from '../../../src/cell/plan/filesystem.ts'
import type * as Cgroup from '../../../src/cell/resources/cgroup.ts'
import type * as Watch from '../../../src/cell/run/watch-cell.ts'
import type * as WatchMemory from '../../../src/cell/run/watch-memory.ts'
import type * as Streams from '../../../src/cell/streams/streams.ts'
import type * as Gateway from '../../../src/egress/cell-gateway.ts'
import { replace, type Sabotage } from './sabotage.ts'

const withoutWatch = (): void => replace<typeof Watch>('cell/run/watch-cell.ts', () => ({ watch: () => () => undefined }))
const withoutRlimit = (name: string): void =>
  replace<typeof Enforcement>('cell/backends/enforcement.ts', ({ enforce }) => ({
    enforce: (...given) => {
      const { limits, prlimit } = enforce(...given)
      return { limits, prlimit: prlimit.filter((each) => !each.startsWith(name)) }
    },
  }))
const bottomless = <S extends Streams.HostStreams>(streams: S): S => ({
  ...streams,
  stdout: streams.stdout.pipe(new PassThrough({ highWaterMark: 2 ** 30, readableHighWaterMark: 2 ** 30 })),
})

/** A control group that reports all limits as enforced, but enforces none. */
const idleGroup = (): void =>
  replace<typeof Cgroup>('cell/resources/cgroup.ts', () => ({
    createCgroup: () => ({
      mechanism: 'cgroup v2',
      directories: [],
      holds: { memory: true, processes: true, cpus: true },
      add: async () => undefined,
      entrances: [],
      has: () => true,
      oomKills: () => 0,
      peakMemoryBytes: () => null,
      cpuMs: () => null,
      remove: () => true,
    }),
  }))

const withoutGroup = (): void => replace<typeof Cgroup>('cell/resources/cgroup.ts', () => ({ createCgroup: () => null }))

export const limitsSabotages: readonly Sabotage[] = [
  { id: 'processes-limited', without: 'a process counter', egress: 'off', evidence: /were created in a cell/, break: idleGroup },
  { id: 'memory-limited', without: 'a memory controller', egress: 'off', evidence: /used 256 MiB/, break: idleGroup },
  {
    id: 'memory-limited',
    without: 'a control group and the watch',
    egress: 'off',
    evidence: /used 256 MiB/,
    break: () => {
      withoutGroup()
      replace<typeof WatchMemory>('cell/run/watch-memory.ts', () => ({ watchMemory: async () => undefined }))
    },
  },
  { id: 'processors-limited', without: 'a processor controller', egress: 'off', evidence: /used/, break: idleGroup },
  {
    id: 'memory-places-limited',
    without: 'size limits of the tmpfs mounts',
    egress: 'off',
    break: () =>
      replace<typeof Filesystem>('cell/plan/filesystem.ts', ({ planFilesystem }) => ({
        planFilesystem: (...given) =>
          planFilesystem(...given).map((each) => (each.kind === 'tmpfs' ? { ...each, sizeBytes: each.sizeBytes * 8 } : each)),
      })),
  },
  { id: 'one-file-limited', without: 'the file size rlimit', egress: 'off', evidence: /was made/, break: () => withoutRlimit('--fsize') },
  { id: 'disk-growth-limited', without: 'the watch', egress: 'off', evidence: /was not ended/, break: withoutWatch },
  { id: 'time-limited', without: 'the watch', egress: 'off', evidence: /busy cell/, break: withoutWatch },
  { id: 'silence-limited', without: 'the watch', egress: 'off', evidence: /was silent for 5 s/, break: withoutWatch },
  {
    id: 'output-held-back',
    without: 'back-pressure',
    egress: 'off',
    evidence: /in Paddock.s memory/,
    break: () =>
      replace<typeof Streams>('cell/streams/streams.ts', ({ pipeStreams, openInnerPipes }) => ({
        pipeStreams: async (...given) => bottomless(await pipeStreams(...given)),
        openInnerPipes: (...given) => bottomless(openInnerPipes(...given)),
      })),
  },
  {
    id: 'connections-limited',
    without: 'the connection count',
    evidence: /were open at once and 0/,
    break: () =>
      replace<typeof Gateway>('egress/cell-gateway.ts', ({ openGateway }) => ({
        openGateway: (options) => openGateway({ ...options, limits: { connections: 100_000 } }),
      })),
  },
]
