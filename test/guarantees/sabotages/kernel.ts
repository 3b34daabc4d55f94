import type * as Arguments from '../../../src/cell/backends/bubblewrap/bubblewrap-arguments.ts'
import type * as Compile from '../../../src/cell/backends/seccomp/compile.ts'
import { replace, type Sabotage } from './sabotage.ts'

/** A filter of one instruction: allow. */
const everything = Uint8Array.from([0x06, 0, 0, 0, 0, 0, 0xff, 0x7f])
const withoutFilter = (): void => replace<typeof Compile>('cell/backends/seccomp/compile.ts', () => ({ machineFilter: () => everything }))
const withArguments = (change: (args: readonly string[]) => readonly string[]): void =>
  replace<typeof Arguments>('cell/backends/bubblewrap/bubblewrap-arguments.ts', ({ bubblewrapArguments }) => ({
    bubblewrapArguments: (...given) => change(bubblewrapArguments(...given)),
  }))

export const kernelSabotages: readonly Sabotage[] = [
  {
    id: 'no-privileges',
    without: 'dropped capabilities',
    egress: 'off',
    evidence: /capabilities/,
    break: () => withArguments((args) => [...args, '--cap-add', 'CAP_SYS_PTRACE']),
  },
  {
    id: 'no-new-namespaces',
    without: 'the system call filter and the namespace limit',
    egress: 'off',
    break: () => {
      withoutFilter()
      withArguments((args) => args.filter((each) => each !== '--disable-userns'))
    },
  },
  { id: 'no-mounts', without: 'the system call filter', egress: 'off', break: withoutFilter },
  { id: 'kernel-calls-closed', without: 'the system call filter', egress: 'off', break: withoutFilter },
  { id: 'socket-families-closed', without: 'the system call filter', egress: 'off', evidence: /vsock|algorithm/, break: withoutFilter },
  { id: 'foreign-calls-killed', without: 'the system call filter', egress: 'off', break: withoutFilter },
  {
    id: 'kernel-files-closed',
    without: 'a root without /sys',
    egress: 'off',
    break: () => withArguments((args) => ['--ro-bind', '/sys', '/sys', ...args]),
  },
]
