import { readFileSync } from 'node:fs'
import { type ProcessStat, signal, statOf } from '../../system/process-tree.ts'

/** The source of a Perl program. It is passed as text, because a cell cannot see Paddock's files. */
const foreground = new URL('./foreground.pl', import.meta.url)

/**
 * The way in which a cell gets its terminal from the programs that build it: arguments in front of those outside the cell, and the command
 * with which the launcher starts the agent.
 */
export interface TerminalChain {
  readonly outside: readonly string[]
  /** Programs and arguments that precede the agent's command. */
  readonly start: readonly string[]
  /** True if the first program of the chain must be spawned in a new session. */
  readonly detached: boolean
}

/** Returns the chain for a cell, depending on whether it has a terminal. */
export function terminalChain(terminal: boolean, perl: string, setsid: () => string): TerminalChain {
  if (!terminal) return { outside: [], start: [], detached: true }
  // -t: ignores PERL5OPT from the agent's environment.
  return { outside: [setsid(), '--ctty', '--'], start: [perl, '-t', '-e', readFileSync(foreground, 'utf8'), '--'], detached: false }
}

/** Sends a signal to the foreground process group of the cell's terminal. Without a terminal, sends it to the group of its program. */
export function signalProgram(init: number, name: NodeJS.Signals): void {
  const program = programOf(init)
  if (program === null) return
  const group = program.foreground > 1 ? program.foreground : program.group
  if (group > 1) signal(-group, name)
}

/** Returns true if the program is stopped, and no program that it started has the terminal meanwhile. */
export function isProgramStopped(init: number): boolean {
  const program = programOf(init)
  return program !== null && program.state === 'T' && program.foreground === program.group
}

/** Returns the first child of the cell's init. Orphaned processes of the cell come after it. */
function programOf(init: number): ProcessStat | null {
  try {
    const [first = ''] = readFileSync(`/proc/${init}/task/${init}/children`, 'latin1').trim().split(' ')
    return first === '' ? null : statOf(first)
  } catch {
    return null
  }
}
