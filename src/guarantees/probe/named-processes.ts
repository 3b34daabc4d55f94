import { processesWith } from '../../system/process-tree.ts'

/** Returns the processes of this machine that have a word among their arguments. */
export function processesNamed(word: string): readonly number[] {
  return processesWith('cmdline', word)
}

/** Ends processes that a broken guarantee left running. */
export function endProcesses(pids: readonly number[]): void {
  for (const each of pids)
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // The process is gone, or belongs to another user.
    }
}

/** Waits until a condition is true, for at most `ms` milliseconds. Returns whether it became true. */
export async function becomes(isTrue: () => boolean, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 25))) if (isTrue()) return true
  return isTrue()
}

/** A script for sh(1) that runs for ten seconds and ignores requests to end. The word passed as `$0` identifies its processes. */
export const stubborn = "trap '' TERM HUP INT; i=0; while [ $i -lt 50 ]; do sleep 0.2; i=$((i+1)); done"

/** A script that leaves stubborn programs behind, in all ways in which programs detach from their parents. `$1` identifies them. */
export const leaveBehind = `
  setsid sh -c "$0" "$1" </dev/null >/dev/null 2>&1 &
  ( ( sh -c "$0" "$1" & ) & )
  nohup sh -c "$0" "$1" >/dev/null 2>&1 &
  setsid sh -c '( setsid sh -c "$0" "$1" & ) &' "$0" "$1" &
  sh -c 'kill -STOP $$; :' "$1" &`
/** Minimum number of these processes when all have started. */
export const leftBehind = 5
