import { closeSync, constants, fstatSync, futimesSync, openSync, readSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { monotonicMs } from '../../base/monotonic.ts'
import { hostProgram } from '../../system/host-program.ts'
import { spawnSync } from '../../system/start-program.ts'

/** A file with its path in a directory, as raw bytes, and its inode at that time. */
export interface SeenFile {
  readonly path: Buffer
  readonly inode: number
}

const lister = fileURLToPath(new URL('./file-capabilities.pl', import.meta.url))
/** Maximum number of paths that one run of Perl checks, and the total time for all runs in milliseconds. */
const batch = 5_000
const longestMs = 30_000

/**
 * Removes the capabilities of files that a cell has written to. A write through a mapping keeps them (capabilities(7)), and the next user
 * to run the file would run the cell's program with them. An ordinary write removes them without any privileges (write(2) calls
 * file_remove_privs), so the first byte is rewritten unchanged. Perl finds the files with capabilities; without Perl nothing is found.
 * @returns files whose capabilities were cleared, files for which that failed, and files that were not checked.
 */
export function clearCapabilities(
  base: string,
  files: readonly SeenFile[],
): { readonly cleared: readonly SeenFile[]; readonly kept: readonly SeenFile[]; readonly unseen: readonly SeenFile[] } {
  const perl = process.platform === 'linux' ? hostProgram('perl', '') : null
  const [cleared, kept, unseen]: [SeenFile[], SeenFile[], SeenFile[]] = [[], [], []]
  if (perl === null) return { cleared, kept, unseen }
  const until = monotonicMs() + longestMs
  for (let at = 0; at < files.length; at += batch) {
    const asked = files.slice(at, at + batch)
    const left = until - monotonicMs()
    const having = left > 0 ? havingCapabilities(perl, base, asked, left) : null
    if (having === null) unseen.push(...asked)
    else for (const each of asked) if (having.has(each.path.toString('latin1'))) (rewrite(base, each) ? cleared : kept).push(each)
  }
  return { cleared, kept, unseen }
}

/** Returns the paths of files with capabilities, with one character per byte. Null if Perl did not finish. */
function havingCapabilities(perl: string, base: string, files: readonly SeenFile[], timeout: number): ReadonlySet<string> | null {
  const { stdout, status } = spawnSync(perl, [lister], {
    input: Buffer.concat(files.flatMap((each) => [each.path, Buffer.from([0])])),
    cwd: base,
    env: {},
    maxBuffer: 64 * 1024 ** 2,
    timeout: Math.ceil(timeout),
  })
  return status === 0 ? new Set(stdout.toString('latin1').split('\0')) : null
}

function rewrite(base: string, { path: file, inode }: SeenFile): boolean {
  let descriptor: number
  try {
    descriptor = openSync(Buffer.concat([Buffer.from(`${base}/`), file]), constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK)
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
