import { hostProgram, systemPath } from '../system/host-program.ts'
import { run } from '../system/start-program.ts'

/**
 * Makes all files below a directory durable with one syncfs(2) of its file system, through `sync -f` (coreutils). An fsync for
 * each of ten thousand files takes many times longer. Returns false if the program is not installed, or when `signal` is aborted.
 */
export async function syncTree(directory: string, signal?: AbortSignal): Promise<boolean> {
  const program = hostProgram('sync')
  if (program === null) return false
  try {
    await run(program, ['-f', '--', directory], { timeout: 120_000, env: { PATH: systemPath }, signal })
    return true
  } catch {
    return false
  }
}
