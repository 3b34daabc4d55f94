import { execFile } from 'node:child_process'

/** Enters the IPC namespace of a process by the user namespace that owns it (NS_GET_USERNS, ioctl_ns(2)), and lists what is in it. */
const program = `
use strict; my ($pid, $setns) = @ARGV;
open my $ipc, '<', "/proc/$pid/ns/ipc" or exit 1;
my $user = ioctl($ipc, 0xb701, 0) or exit 1;
syscall($setns + 0, $user + 0, 0x10000000) == 0 or exit 1;
syscall($setns + 0, fileno($ipc), 0x08000000) == 0 or exit 1;
open my $list, '<', '/proc/sysvipc/shm' or exit 1;
print while <$list>;
`
const setns = process.arch === 'arm64' ? '268' : '308'

/** Returns the bytes in memory and swap of all System V segments (sysvipc(7)) that the namespace of a process has; null: unknown. */
export function systemVBytes(perl: string, pid: number): Promise<number | null> {
  return new Promise((resolve) => {
    execFile(perl, ['-e', program, String(pid), setns], { env: {}, timeout: 10_000, maxBuffer: 16 * 1024 ** 2 }, (error, stdout) => {
      const rows = stdout.split('\n').slice(1).filter(Boolean)
      resolve(error === null ? rows.reduce((sum, row) => sum + bytesOf(row), 0) : null)
    })
  })
}

/** The last two columns are what a segment takes in memory and in swap. */
function bytesOf(row: string): number {
  const [memory = 0, swap = 0] = row.trim().split(/\s+/).slice(-2).map(Number)
  return memory + swap
}
