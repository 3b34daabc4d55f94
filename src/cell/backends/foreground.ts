import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type ProcessStat, signal, statOf } from '../../system/process-tree.ts'
import { systemDirectories } from '../../system/system-program.ts'
import { quote } from './launcher.ts'

/** Given to Perl as text, because a cell sees no file of Paddock's. */
const foreground = new URL('./foreground.pl', import.meta.url)

/** How the programs that build a cell give it its terminal: words before those outside of the cell, and how its launcher starts the agent. */
export interface TerminalChain {
  readonly outside: readonly string[]
  /** Shell words, which the agent's command follows. */
  readonly start: string
  /** Whether the first program of the chain needs a session from the one who spawns it. */
  readonly detached: boolean
}

/** Returns the chain for a cell without a terminal, and for one with it where Perl is among the system's programs, which a cell sees, or not. */
export function terminalChain(terminal: boolean, perl: string | null, setsid: () => string): TerminalChain {
  if (!terminal) return { outside: [], start: 'exec', detached: true }
  if (perl === null || !systemDirectories.includes(path.dirname(perl)))
    // A session is a group of its own, too, but keys cannot stop it.
    return { outside: [], start: `exec ${quote(setsid())} --ctty --`, detached: true }
  // -t: without the PERL5OPT of the agent's environment. PERL_BADLANG: without warnings about its LANG.
  const start = `export PERL_BADLANG=0; exec ${quote(perl)} -t -e ${quote(readFileSync(foreground, 'utf8'))} --`
  return { outside: [setsid(), '--ctty', '--'], start, detached: false }
}

/** Sends a signal to the process group in the foreground of the cell's terminal; without a terminal, to that of its program. */
export function signalProgram(init: number, name: NodeJS.Signals): void {
  const program = programOf(init)
  if (program === null) return
  const group = program.foreground > 1 ? program.foreground : program.group
  if (group > 1) signal(-group, name)
}

/** Whether the program is stopped, and no program that it started has the terminal meanwhile. */
export function isProgramStopped(init: number): boolean {
  const program = programOf(init)
  return program !== null && program.state === 'T' && program.foreground === program.group
}

/** The first child of the cell's init; what is orphaned in the cell comes after it. */
function programOf(init: number): ProcessStat | null {
  try {
    const [first = ''] = readFileSync(`/proc/${init}/task/${init}/children`, 'latin1').trim().split(' ')
    return first === '' ? null : statOf(first)
  } catch {
    return null
  }
}
