import type { Guarantee } from '../guarantee.ts'
import { tryCalls } from '../probe/try-calls.ts'

export const callsClosed: Guarantee = {
  id: 'kernel-calls-closed',
  chapter: 'kernel',
  claim:
    "A cell cannot call the parts of the kernel that it does not need: bpf, perf events, userfaultfd, io_uring, secret memory, fanotify, segment tables (modify_ldt), memory that is executable because it is readable (personality), key rings, kernel modules, kexec, another process's memory by system calls, files by handle, leases on files, the machine's clock, swap and reboot.",
  mechanism:
    'A seccomp filter, loaded before the agent starts and inherited by every process that it starts (seccomp(2)). The list is in src/cell/backends/seccomp/syscall-filter.ts.',
  kind: 'policy',
  why: 'The kernel checks the number of every call before it does anything. A filter cannot be removed, only extended.',
  fails: [
    'A vulnerability in a call that is not on the list, because the kernel is shared.',
    'A new call of a newer kernel that is not on the list yet.',
  ],
  probe: (bench) =>
    tryCalls(bench, [
      { name: 'bpf', x64: 321, arm64: 280, args: [0, 0, 0] },
      { name: 'perf_event_open', x64: 298, arm64: 241, args: [0, 0, 0, 0, 0] },
      { name: 'userfaultfd', x64: 323, arm64: 282, args: [1] },
      { name: 'memfd_secret', x64: 447, arm64: 447, args: [0] },
      { name: 'fanotify_init', x64: 300, arm64: 262, args: [0x200, 0] },
      { name: 'modify_ldt', x64: 154, arm64: null, args: [0, 0, 0] },
      { name: 'read-implies-exec', x64: 135, arm64: 92, args: [0x40_0000] },
      { name: 'map-page-zero', x64: 135, arm64: 92, args: [0x10_0000] },
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
      { name: 'process_vm_readv', x64: 310, arm64: 270 },
      { name: 'process_vm_writev', x64: 311, arm64: 271 },
      { name: 'pidfd_getfd', x64: 438, arm64: 438 },
      { name: 'kcmp', x64: 312, arm64: 272 },
      { name: 'open_by_handle_at', x64: 304, arm64: 265 },
      { name: 'name_to_handle_at', x64: 303, arm64: 264 },
      { name: 'lease', x64: 72, arm64: 25, args: [0, 1024, 0] },
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
