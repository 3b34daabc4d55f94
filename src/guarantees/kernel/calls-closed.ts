import type { Guarantee } from '../guarantee.ts'
import { tryCalls } from './try-calls.ts'

export const callsClosed: Guarantee = {
  id: 'kernel-calls-closed',
  chapter: 'kernel',
  claim:
    'The parts of the kernel that a cell has no use for cannot be called: bpf, perf events, userfaultfd, io_uring, key rings, kernel modules, kexec, ptrace, another process’s memory, files by handle, extended attributes (and so file capabilities and access lists), the machine’s clock, swap and reboot.',
  mechanism:
    'A seccomp filter, loaded before the agent starts and inherited by all that it starts (seccomp(2)); its list is src/cell/seccomp/filter.ts.',
  kind: 'policy',
  why: 'The kernel looks at the number of every call before it does anything; a filter cannot be taken off, only added to.',
  fails: ['A hole in a call that is not on the list: the kernel is shared.', 'A new call of a newer kernel that nobody has listed yet.'],
  probe: (bench) =>
    tryCalls(bench, [
      { name: 'bpf', x64: 321, arm64: 280, args: [0, 0, 0] },
      { name: 'perf_event_open', x64: 298, arm64: 241, args: [0, 0, 0, 0, 0] },
      { name: 'userfaultfd', x64: 323, arm64: 282, args: [1] },
      { name: 'io_uring_setup', x64: 425, arm64: 425, args: [1, 0] },
      { name: 'io_uring_enter', x64: 426, arm64: 426 },
      { name: 'io_uring_register', x64: 427, arm64: 427 },
      { name: 'add_key', x64: 248, arm64: 217 },
      { name: 'request_key', x64: 249, arm64: 218 },
      { name: 'keyctl', x64: 250, arm64: 219, args: [0, 0, 0] },
      { name: 'init_module', x64: 175, arm64: 105 },
      { name: 'finit_module', x64: 313, arm64: 273 },
      { name: 'delete_module', x64: 176, arm64: 106 },
      { name: 'kexec_load', x64: 246, arm64: 104 },
      { name: 'kexec_file_load', x64: 320, arm64: 294 },
      { name: 'ptrace', x64: 101, arm64: 117, args: [0, 0, 0, 0] },
      { name: 'process_vm_readv', x64: 310, arm64: 270 },
      { name: 'process_vm_writev', x64: 311, arm64: 271 },
      { name: 'pidfd_getfd', x64: 438, arm64: 438 },
      { name: 'kcmp', x64: 312, arm64: 272 },
      { name: 'open_by_handle_at', x64: 304, arm64: 265 },
      { name: 'name_to_handle_at', x64: 303, arm64: 264 },
      { name: 'setxattr', x64: 188, arm64: 5 },
      { name: 'lsetxattr', x64: 189, arm64: 6 },
      { name: 'fsetxattr', x64: 190, arm64: 7 },
      { name: 'settimeofday', x64: 164, arm64: 170 },
      { name: 'clock_settime', x64: 227, arm64: 112 },
      { name: 'swapon', x64: 167, arm64: 224 },
      { name: 'reboot', x64: 169, arm64: 142 },
      { name: 'acct', x64: 163, arm64: 89 },
      { name: 'syslog', x64: 103, arm64: 116, args: [10, 0, 0] },
      { name: 'quotactl', x64: 179, arm64: 60 },
      { name: 'iopl', x64: 172, arm64: null, args: [3] },
    ]),
}
