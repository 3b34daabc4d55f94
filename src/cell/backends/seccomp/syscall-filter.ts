/** A system call that a cell does not need. The first number is for x86-64, the second for arm64; null if there is no such call. */
export interface DeniedCall {
  readonly name: string
  readonly x64: number | null
  readonly arm64: number | null
  /**
   * The error for the caller. `ENOSYS`, as on an older kernel, and `EOPNOTSUPP`, as on a file system without extended attributes, if
   * programs have a fallback; `ENODATA`: there is no such attribute; `none`: the call returns 0.
   */
  readonly error: 'EPERM' | 'ENOSYS' | 'EOPNOTSUPP' | 'ENODATA' | 'none'
  /** True if a sandbox inside the cell needs the call, so that `--nested-sandbox` allows it. */
  readonly nesting?: true
}

const denied = (name: string, x64: number | null, arm64: number | null, error: DeniedCall['error'] = 'EPERM'): DeniedCall => ({
  name,
  x64,
  arm64,
  error,
})

const nesting = (name: string, x64: number | null, arm64: number | null, error: DeniedCall['error'] = 'EPERM'): DeniedCall => ({
  ...denied(name, x64, arm64, error),
  nesting: true,
})

/** System calls that are refused (syscalls(2); numbers from the kernel's syscall tables). */
export const deniedCalls: readonly DeniedCall[] = [
  // Key rings are shared by all processes of a login, so they are a store of secrets and a channel between cells.
  denied('add_key', 248, 217, 'ENOSYS'),
  denied('request_key', 249, 218, 'ENOSYS'),
  denied('keyctl', 250, 219, 'ENOSYS'),
  // Large parts of the kernel with a history of vulnerabilities.
  denied('bpf', 321, 280),
  denied('perf_event_open', 298, 241),
  denied('userfaultfd', 323, 282),
  denied('memfd_secret', 447, 447, 'ENOSYS'),
  denied('fanotify_init', 300, 262),
  denied('modify_ldt', 154, null, 'ENOSYS'),
  denied('io_uring_setup', 425, 425, 'ENOSYS'),
  denied('io_uring_enter', 426, 426, 'ENOSYS'),
  denied('io_uring_register', 427, 427, 'ENOSYS'),
  // Calls that affect the machine itself.
  denied('init_module', 175, 105),
  denied('finit_module', 313, 273),
  denied('delete_module', 176, 106),
  denied('kexec_load', 246, 104),
  denied('kexec_file_load', 320, 294),
  denied('reboot', 169, 142),
  denied('swapon', 167, 224),
  denied('swapoff', 168, 225),
  denied('acct', 163, 89),
  denied('quotactl', 179, 60),
  denied('quotactl_fd', 443, 443),
  denied('settimeofday', 164, 170),
  denied('clock_settime', 227, 112),
  denied('clock_adjtime', 305, 266),
  denied('adjtimex', 159, 171),
  denied('iopl', 172, null),
  denied('ioperm', 173, null),
  denied('syslog', 103, 116),
  // Cells may handle their own processes, but not their init, which ends them all.
  denied('process_vm_readv', 310, 270),
  denied('process_vm_writev', 311, 271),
  denied('pidfd_getfd', 438, 438),
  denied('kcmp', 312, 272),
  // Its arguments are in memory, where a filter cannot read the mode. Programs have a fallback, but not bwrap 0.12 as built by Debian,
  // which looks up with this call what it mounts. A program that may call it can make an empty file with the set-user-ID bit. The kernel
  // clears the bit when the file gets content (inode(7)), because no process of a cell has CAP_FSETID in the first user namespace.
  nesting('openat2', 437, 437, 'ENOSYS'),
  // Extended attributes contain capabilities, which would be effective on the host, and access lists. Their names are in memory. Programs
  // that copy a file with its mode try to set an access list that means the same (acl_set_fd(3)), and set the mode if that is not
  // supported. They must find no other list, because they could not set it.
  denied('setxattr', 188, 5, 'EOPNOTSUPP'),
  denied('lsetxattr', 189, 6, 'EOPNOTSUPP'),
  denied('fsetxattr', 190, 7, 'EOPNOTSUPP'),
  denied('setxattrat', 463, 463, 'EOPNOTSUPP'),
  denied('getxattr', 191, 8, 'ENODATA'),
  denied('lgetxattr', 192, 9, 'ENODATA'),
  denied('fgetxattr', 193, 10, 'ENODATA'),
  denied('getxattrat', 464, 464, 'ENODATA'),
  denied('listxattr', 194, 11, 'none'),
  denied('llistxattr', 195, 12, 'none'),
  denied('flistxattr', 196, 13, 'none'),
  denied('listxattrat', 465, 465, 'none'),
  denied('removexattr', 197, 14, 'ENODATA'),
  denied('lremovexattr', 198, 15, 'ENODATA'),
  denied('fremovexattr', 199, 16, 'ENODATA'),
  denied('removexattrat', 466, 466, 'ENODATA'),
  // Opening files by handle bypasses the mounts.
  denied('open_by_handle_at', 304, 265),
  denied('name_to_handle_at', 303, 264),
  // A cell's view of the file system and its namespaces are created before it starts.
  nesting('mount', 165, 40),
  nesting('umount2', 166, 39),
  nesting('pivot_root', 155, 41),
  nesting('move_mount', 429, 429),
  nesting('open_tree', 428, 428),
  nesting('open_tree_attr', 467, 467),
  nesting('fsopen', 430, 430),
  nesting('fsconfig', 431, 431),
  nesting('fsmount', 432, 432),
  nesting('fspick', 433, 433),
  nesting('mount_setattr', 442, 442),
  denied('setns', 308, 268),
  // The flags of clone3 are in memory. libc falls back to clone, whose flags are visible.
  nesting('clone3', 435, 435, 'ENOSYS'),
]

/** The flags CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, and NEWTIME of unshare (namespaces(7)). */
const newNamespaces = 0x7e02_0000

/** Calls that are refused if their first argument has any of these bits, because they would create namespaces. */
export const namespaceCalls: readonly { readonly name: string; readonly x64: number; readonly arm64: number; readonly bits: number }[] = [
  { name: 'clone', x64: 56, arm64: 220, bits: newNamespaces },
  // The low byte of clone's flags is a signal. In unshare's flags it contains CLONE_NEWTIME.
  { name: 'unshare', x64: 272, arm64: 97, bits: newNamespaces | 0x80 },
]

/** The allowed address families for socket(2): Unix, and netlink, which libc uses to list interfaces. IPv4 and IPv6: see `internet`. */
export const plainFamilies: readonly number[] = [1, 16]
/** The only allowed protocol of netlink(7), NETLINK_ROUTE. The packet filter, audit, uevents and others are separate protocols. */
export const netlink = { family: 16, protocol: 0 } as const
/**
 * For IPv4 and IPv6 (ip(7)) only the default protocol of a type, TCP and UDP are allowed. For MPTCP, UDP-Lite, SCTP, DCCP, L2TP and the
 * like the kernel would load modules. `otherTypes`: the bits of all types but SOCK_STREAM, SOCK_DGRAM and SOCK_RAW, which needs a
 * capability.
 */
export const internet = { families: [2, 10], otherTypes: 0xc, protocols: [0, 6, 17] } as const

/** Calls that are refused for some values of one argument. Only its low half is checked, because the kernel reads only that. */
export const valueCalls: readonly {
  readonly name: string
  readonly x64: number
  readonly arm64: number
  readonly argument: number
  /** `refused`: these values are refused. `allowed`: all other values are refused. */
  readonly values: { readonly refused: readonly number[] } | { readonly allowed: readonly number[] }
  readonly error: 'EPERM' | 'EAFNOSUPPORT'
}[] = [
  // EXT4_IOC_MOVE_EXT, XFS_IOC_SWAPEXT and F2FS_IOC_MOVE_RANGE, which defragmenters use: they change what a file contains, but none of its
  // times, or not with every kernel (ioctl(2)).
  { name: 'ioctl', x64: 16, arm64: 29, argument: 1, values: { refused: [0xc028_660f, 0xc0c0_586d, 0xc020_f509] }, error: 'EPERM' },
  // F_SETLEASE (fcntl(2)) and F_SETDELEG: a process that opens the file on the host has to wait for the holder of the lease.
  { name: 'fcntl', x64: 72, arm64: 25, argument: 1, values: { refused: [1024, 1040] }, error: 'EPERM' },
  {
    // personality(2): allows what setarch(1) and debuggers set, and the query. Not READ_IMPLIES_EXEC, MMAP_PAGE_ZERO and other old layouts.
    name: 'personality',
    x64: 135,
    arm64: 92,
    argument: 0,
    values: { allowed: [0, 8, 0x2_0000, 0x2_0008, 0x4_0000, 0x4_0008, 0xffff_ffff] },
    error: 'EPERM',
  },
  // ptrace(2) of the init, whose end ends every process of the cell. Debuggers, sanitizers and strace trace the others.
  { name: 'ptrace', x64: 101, arm64: 117, argument: 1, values: { refused: [1] }, error: 'EPERM' },
  // socketpair(2) also opens two sockets of the family.
  { name: 'socketpair', x64: 53, arm64: 199, argument: 0, values: { allowed: [1] }, error: 'EAFNOSUPPORT' },
]

/**
 * Calls that can make a file set-user-ID or set-group-ID, with the argument that contains the mode. On the host such a
 * file would run with the rights of its owner, for any user. `flags`: the argument that must contain O_CREAT or O_TMPFILE
 * (open(2)) for the mode to have an effect. `changes`: a mode that is only set-group-ID causes no error, because tools repeat the bit that
 * directories inherit; the init of the cell sets the other bits. Without such an init, the call has no effect. mkdir(2) ignores both bits.
 */
export const modeCalls: readonly {
  readonly name: string
  readonly x64: number | null
  readonly arm64: number | null
  readonly mode: number
  readonly flags?: number
  readonly changes?: true
}[] = [
  { name: 'chmod', x64: 90, arm64: null, mode: 1, changes: true },
  { name: 'fchmod', x64: 91, arm64: 52, mode: 1, changes: true },
  { name: 'fchmodat', x64: 268, arm64: 53, mode: 2, changes: true },
  { name: 'fchmodat2', x64: 452, arm64: 452, mode: 2, changes: true },
  { name: 'creat', x64: 85, arm64: null, mode: 1 },
  { name: 'mknod', x64: 133, arm64: null, mode: 1 },
  { name: 'mknodat', x64: 259, arm64: 33, mode: 2 },
  { name: 'open', x64: 2, arm64: null, mode: 2, flags: 1 },
  { name: 'openat', x64: 257, arm64: 56, mode: 3, flags: 2 },
]
