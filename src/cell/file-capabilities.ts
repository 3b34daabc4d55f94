import { spawnSync } from 'node:child_process'
import { closeSync, constants, fstatSync, futimesSync, openSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import { findTool } from './tools.ts'

/** A file by its path below a directory, and the inode that was seen there. */
export interface SeenFile {
  readonly path: string
  readonly inode: number
}

/** Prints those of the paths on its input that have file capabilities (getxattr(2) without following links; perlfunc(1), syscall). */
const lister = String.raw`
my $number = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ } ? 9 : 192;
$/ = "\0";
while (my $path = <STDIN>) {
  chomp $path; my ($name, $value) = ("security.capability", "\0" x 64);
  print $path, "\0" if syscall($number, $path, $name, $value, 64) >= 0;
}
`
const most = 5_000

/**
 * Takes the capabilities away from files that a cell has written to. Written through a mapping a file keeps them (capabilities(7)), and
 * whoever runs it next would run the cell's program with them. An ordinary write takes them off without any right (write(2) calls
 * file_remove_privs): the first byte is written as it is. Which files have any is asked of Perl; without it nothing is found.
 * @returns paths whose capabilities were cleared, and those that could not be.
 */
export function clearCapabilities(
  base: string,
  files: readonly SeenFile[],
): { readonly cleared: readonly string[]; readonly kept: readonly string[] } {
  const perl = process.platform === 'linux' ? findTool('perl', '') : null
  if (perl === null || files.length === 0) return { cleared: [], kept: [] }
  const asked = files.slice(0, most)
  const { stdout } = spawnSync(perl, ['-e', lister], {
    input: asked.map((each) => `${each.path}\0`).join(''),
    cwd: base,
    env: {},
    maxBuffer: 64 * 1024 ** 2,
    timeout: 10_000,
  })
  const having = new Set(String(stdout ?? '').split('\0'))
  const cleared: string[] = []
  const kept: string[] = []
  for (const each of asked) if (having.has(each.path)) (rewrite(path.join(base, each.path), each.inode) ? cleared : kept).push(each.path)
  return { cleared, kept }
}

function rewrite(file: string, inode: number): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return false
  }
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile() || stat.ino !== inode) return false
    const byte = Buffer.alloc(1)
    if (readSync(descriptor, byte, 0, 1, 0) === 1) writeSync(descriptor, byte, 0, 1, 0)
    futimesSync(descriptor, stat.atime, stat.mtime)
    return true
  } catch {
    return false
  } finally {
    closeSync(descriptor)
  }
}
