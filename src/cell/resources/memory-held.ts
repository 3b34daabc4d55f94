import { createReadStream } from 'node:fs'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'

/**
 * Returns the total bytes of memory of these processes (proc_pid_smaps(5)): private pages, including swapped ones, and shared memory,
 * each page once. Open memory files (memfd_create(2)) count completely, mapped or not. So does `systemV`, the size of all System V
 * segments (if it is null, only mapped pages count). Pages that can be read again from a file do not count.
 */
export async function memoryHeld(pids: readonly number[], systemV: number | null): Promise<number> {
  const files = new Map<string, number>()
  const shared: number[] = []
  let bytes = systemV ?? 0
  for (const pid of pids) {
    for (const [inode, size] of await memoryFiles(pid)) files.set(inode, size)
    const pages = await pagesOf(pid)
    if (pages.shared > 0) shared.push(pid)
    bytes += pages.private + pages.shared
  }
  for (const size of files.values()) bytes += size
  if (files.size === 0 && !systemV) return bytes
  const isCounted = (name: string, inode: string): boolean => (name === 'SYSV' ? systemV !== null : files.has(inode))
  for (const pid of shared) bytes -= await mappedOf(pid, isCounted)
  return bytes
}

/**
 * Returns the bytes of pages. A page shared by n processes counts as its nth part. Without that detail, resident pages count in full.
 */
async function pagesOf(pid: number): Promise<{ readonly private: number; readonly shared: number }> {
  const text = await textOf(`/proc/${pid}/smaps_rollup`)
  const field = (name: string): number => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024
  if (text.includes('\nPss_Anon:')) return { private: field('Pss_Anon') + field('SwapPss'), shared: field('Pss_Shmem') }
  const [, resident = 0, ofFiles = 0] = (await textOf(`/proc/${pid}/statm`)).split(' ').map(Number)
  return { private: (resident - ofFiles) * 4096, shared: 0 }
}

/** Returns the sizes of a process's open memory files in bytes, by inode. */
async function memoryFiles(pid: number): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const name of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
    const file = `/proc/${pid}/fd/${name}`
    if (!(await readlink(file).catch(() => '')).startsWith('/memfd:')) continue
    const { ino, blocks } = await stat(file).catch(() => ({ ino: 0, blocks: 0 }))
    found.set(String(ino), blocks * 512)
  }
  return found
}

/** Returns the size in bytes of mapped pages from memory files and segments that have already been counted. */
async function mappedOf(pid: number, isCounted: (name: string, inode: string) => boolean): Promise<number> {
  let bytes = 0
  let counts = false
  try {
    const { createInterface } = process.getBuiltinModule('node:readline')
    for await (const line of createInterface({ input: createReadStream(`/proc/${pid}/smaps`) })) {
      const pss = /^Pss: +(\d+) kB$/.exec(line)
      if (pss !== null) bytes += counts ? Number(pss[1]) * 1024 : 0
      else if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) {
        const [, inode, name] = /^\S+ \S+ \S+ \S+ (\d+) +\/(memfd:|SYSV)/.exec(line) ?? []
        counts = inode !== undefined && name !== undefined && isCounted(name, inode)
      }
    }
  } catch {
    // The process has ended meanwhile.
  }
  return bytes
}

/** Returns the text of a file in /proc; empty if the process has ended meanwhile. */
function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}
