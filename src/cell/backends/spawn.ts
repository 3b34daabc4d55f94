import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { spawn } from '../../system/start-program.ts'
import { leakingDescriptors } from '../streams/pipes.ts'

/**
 * Starts the programs that build a cell with only these descriptors. Any others that the child would inherit are replaced by /dev/null.
 * `detached`: starts them in a new session. `ignore`: /dev/null.
 */
export function spawnBuilder(
  [program = '', ...args]: readonly string[],
  descriptors: readonly (number | 'pipe' | 'ignore')[],
  more: Readonly<Record<string, string>>,
  detached: boolean,
  cwd = '/',
): ChildProcess {
  const stdio: ('ignore' | 'pipe' | number)[] = [...descriptors]
  // Checked immediately before the spawn, because another cell may have opened a terminal meanwhile.
  const leaks = leakingDescriptors()
  const nothing = leaks.length > 0 ? openSync('/dev/null', 'r') : -1
  for (const leak of leaks) {
    while (stdio.length <= leak) stdio.push('ignore')
    if (leak >= descriptors.length) stdio[leak] = nothing
  }
  try {
    // In a separate process group, because Ctrl-C in the user's terminal would end the builder and the cell with it.
    return spawn(program, args, { stdio, detached, cwd, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...more } })
  } finally {
    if (nothing >= 0) closeSync(nothing)
  }
}

/** Writes everything that a program of the chain reads from one of its descriptors. */
export function feed(child: ChildProcess, fd: number, text: string | Uint8Array): void {
  const pipe = child.stdio[fd] as Writable
  // The reader may already have exited. Its failure is reported elsewhere.
  pipe.on('error', () => undefined)
  pipe.end(text)
}
