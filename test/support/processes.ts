import { readdirSync, readFileSync } from 'node:fs'

/** The processes of this machine whose whole command line is these words. */
export function processesRunning(...words: readonly string[]): readonly number[] {
  const wanted = words.map((each) => `${each}\0`).join('')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name) === wanted)
    .map(Number)
}

function commandLine(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return null
  }
}

/** Waits until something is true, 20 seconds at most. */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 800; tries++) {
    if (isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`it never came true: ${isTrue}`)
}
