import { readdirSync, readFileSync } from 'node:fs'

/** Returns the pids of the processes of this machine with exactly this command line. */
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

/** Waits until a condition is true, for at most 20 seconds. */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 800; tries++) {
    if (isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`it never came true: ${isTrue}`)
}
