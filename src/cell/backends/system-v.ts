import { fileURLToPath } from 'node:url'
import { execFile } from '../../system/start-program.ts'

const program = fileURLToPath(new URL('./system-v.pl', import.meta.url))
const setns = process.arch === 'arm64' ? '268' : '308'

/** Returns the bytes in memory and swap of all System V segments (sysvipc(7)) in the namespace of a process. Null if unknown. */
export function systemVBytes(perl: string, pid: number): Promise<number | null> {
  return new Promise((resolve) => {
    execFile(perl, [program, String(pid), setns], { env: {}, timeout: 10_000, maxBuffer: 16 * 1024 ** 2 }, (error, stdout) => {
      const rows = stdout.split('\n').slice(1).filter(Boolean)
      resolve(error === null ? rows.reduce((sum, row) => sum + bytesOf(row), 0) : null)
    })
  })
}

/** Returns the sum of the last two columns: a segment's bytes in memory and in swap. */
function bytesOf(row: string): number {
  const [memory = 0, swap = 0] = row.trim().split(/\s+/).slice(-2).map(Number)
  return memory + swap
}
