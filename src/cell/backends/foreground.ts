import { readFileSync } from 'node:fs'
import path from 'node:path'
import { systemDirectories } from '../../files/system-program.ts'
import { type ProcessStat, signal, statOf } from '../resources/process-tree.ts'
import { quote } from './launcher.ts'

/**
 * Makes the program that it starts a process group of its own in the foreground of the terminal (setpgid(2), tcsetpgrp(3)), as a shell does
 * with a job. Ctrl-C would reach bwrap otherwise and end the cell, and Ctrl-Z would reach nobody: keys cannot stop a group that has no
 * parent in its session. In Perl, because sh(1) cannot do it.
 */
const foregroundProgram = [
  'no warnings; setpgrp 0, 0; $SIG{TTOU} = "IGNORE"; ioctl STDIN, 0x5410, pack("i", $$); $SIG{TTOU} = "DEFAULT";',
  'delete $ENV{PERL_BADLANG}; exec { $ARGV[0] } @ARGV; exit 126',
].join(' ')

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
  const start = `export PERL_BADLANG=0; exec ${quote(perl)} -t -e ${quote(foregroundProgram)} --`
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
