import { readFileSync } from 'node:fs'
import type * as RunnerClient from '../../../src/fleet/model/runner-client.ts'
import { replace, type Sabotage } from './sabotage.ts'
import { withArguments, withFilesystem, withoutArguments, withoutFilter, withSurroundings } from './ways.ts'

/** The cell uses the host's process numbers and its /proc. */
const withoutNumbersOfItsOwn = (): void =>
  withArguments((args) =>
    args.flatMap((each, at) =>
      each === '--unshare-pid' || each === '--as-pid-1'
        ? []
        : each === '--proc' && args[at + 1] === '/proc'
          ? ['--ro-bind', '/proc']
          : [each],
    ),
  )

export const processesSabotages: readonly Sabotage[] = [
  {
    id: 'model-tools-in-the-cell',
    without: 'the tool runner in the cell',
    evidence: /a tool read a file of the host: file_read/,
    break: () =>
      replace<typeof RunnerClient>('fleet/model/runner-client.ts', ({ runnerOf }) => ({
        runnerOf(...args) {
          const runner = runnerOf(...args)
          return {
            ...runner,
            async call(tool, input, ...rest) {
              if (tool !== 'file_read') return runner.call(tool, input, ...rest)
              try {
                return { ok: true, text: readFileSync((input as { path: string }).path, 'utf8') }
              } catch (error) {
                return { ok: false, text: String(error) }
              }
            },
          }
        },
      })),
  },
  {
    id: 'host-processes-invisible',
    without: 'a PID namespace',
    evidence: /process of the host is in \/proc/,
    break: withoutNumbersOfItsOwn,
  },
  { id: 'host-processes-untouchable', without: 'a PID namespace', evidence: /pidfd_open|after a signal/, break: withoutNumbersOfItsOwn },
  { id: 'sibling-processes-invisible', without: 'a PID namespace', break: withoutNumbersOfItsOwn },
  { id: 'processes-not-traced', without: 'the system call filter', break: withoutFilter },
  {
    id: 'processes-not-traced',
    without: 'the cover of /proc/1/mem',
    evidence: /the memory of the init/,
    break: () => withFilesystem((entries) => entries.filter((each) => each.kind !== 'file' || !each.target.startsWith('/proc/1/'))),
  },
  { id: 'system-v-ipc-own', without: 'an IPC namespace', evidence: /memory/, break: () => withoutArguments('--unshare-ipc') },
  { id: 'posix-ipc-own', without: 'an IPC namespace', evidence: /opened/, break: () => withoutArguments('--unshare-ipc') },
  { id: 'host-sockets-absent', without: 'the allowlist of mounts', evidence: /was reached/, break: withSurroundings },
  {
    id: 'project-sockets-covered',
    without: 'the empty mounts over sockets',
    evidence: /connections/,
    break: () =>
      withFilesystem((entries, spec) => entries.filter((each) => each.kind !== 'file' || !each.target.startsWith(`${spec.project}/`))),
  },
  {
    id: 'host-abstract-sockets-unreachable',
    without: 'a network namespace',
    egress: 'off',
    evidence: /was reached/,
    break: () => withoutArguments('--unshare-net'),
  },
  { id: 'key-rings-closed', without: 'the system call filter', evidence: /the kernel accepted/, break: withoutFilter },
  {
    id: 'key-rings-closed',
    without: 'the empty mounts over files of /proc',
    evidence: /listed|not covered/,
    break: () => withFilesystem((entries) => entries.filter((each) => each.kind !== 'file' || !each.target.startsWith('/proc/'))),
  },
  {
    id: 'host-names-absent',
    without: 'a UTS namespace',
    evidence: /host name/,
    break: () =>
      withArguments((args) => args.filter((each, at) => !['--unshare-uts', '--hostname'].includes(each) && args[at - 1] !== '--hostname')),
  },
  {
    id: 'control-groups-closed',
    without: 'a root without control groups',
    evidence: /are mounted/,
    break: () => withArguments((args) => ['--ro-bind', '/sys/fs/cgroup', '/sys/fs/cgroup', ...args]),
  },
]
