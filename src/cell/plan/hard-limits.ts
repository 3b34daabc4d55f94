import { readFileSync } from 'node:fs'

/** The most that processes of a cell can have: hard limits of this process (setrlimit(2)), which they inherit. Null: no limit. */
export interface HardLimits {
  /** Bytes of one file. */
  readonly fileBytes: number | null
  /** Bytes of private memory of one process. */
  readonly dataBytes: number | null
  readonly processes: number | null
}

const none: HardLimits = { fileBytes: null, dataBytes: null, processes: null }

/** Returns the hard limits of this process. On a system without `/proc/self/limits` (proc(5)) there are none. */
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
