import { readFileSync } from 'node:fs'

/** Hard limits of this process (setrlimit(2)), which the processes of a cell inherit and cannot exceed. Null if there is no limit. */
export interface HardLimits {
  /** Maximum size of one file in bytes. */
  readonly fileBytes: number | null
  /** Maximum private memory of one process in bytes. */
  readonly dataBytes: number | null
  readonly processes: number | null
}

const none: HardLimits = { fileBytes: null, dataBytes: null, processes: null }

/** Returns the hard limits of this process. On a system without `/proc/self/limits` (proc(5)) there are no limits. */
export function readHardLimits(): HardLimits {
  try {
    return parseHardLimits(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return none
  }
}

/** Parses lines such as `Max file size             unlimited            1073741824           bytes`. */
export function parseHardLimits(text: string): HardLimits {
  const hard = (name: string): number | null => {
    const found = new RegExp(`^${name} +\\S+ +(\\d+)`, 'm').exec(text)?.[1]
    return found === undefined ? null : Number(found)
  }
  return { fileBytes: hard('Max file size'), dataBytes: hard('Max data size'), processes: hard('Max processes') }
}
