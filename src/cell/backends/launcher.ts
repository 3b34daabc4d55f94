import path from 'node:path'
import { hostProgram, systemPath } from '../../system/host-program.ts'
import type { CellPlan } from '../plan/plan.ts'

/** The command of sh(1) with which a cell says that all its mounts have been made. The host checks them before it lets the agent start. */
export const saysBuilt = "printf '\\006' >&2"

/**
 * The programs that start the command of a cell, by their paths in it. Its terminal and its init need Perl too, which the backend starts
 * (`systemPerl`).
 */
export interface LauncherPrograms {
  readonly sh: string
  readonly prlimit: string
}

/** Returns the programs of this machine, which its cells have too. Not from the agent's PATH, where an earlier agent may have put others. */
export function hostLauncher(): LauncherPrograms {
  return { sh: '/bin/sh', prlimit: hostProgram('prlimit', systemPath) ?? 'prlimit' }
}

/** Returns the command line of the last step before the agent. */
export function launchCommand(programs: LauncherPrograms, plan: Pick<CellPlan, 'prepare' | 'command'>, how: LaunchStep): readonly string[] {
  return [programs.sh, '-c', launcher(programs, plan, how), 'sh', ...plan.command]
}

interface LaunchStep {
  /** Options of prlimit(1). */
  readonly limits: readonly string[]
  /** `gate`: the descriptor at which the step waits for the host; null if the cell's init has waited. */
  readonly fds: { readonly agentStderr: number; readonly gate: number | null }
  /** Programs and arguments that precede the command. */
  readonly start?: readonly string[]
}

/**
 * Returns the last step before the agent, a script for sh(1) inside the cell. The script gives the agent its own standard error (until
 * then it is the host's, for errors while the cell is built), copies the files to the private home, reports
 * a missing program, and sets the rlimits.
 */
export function launcher(programs: LauncherPrograms, plan: Pick<CellPlan, 'prepare'>, { limits, fds, start = [] }: LaunchStep): string {
  const { agentStderr, gate } = fds
  const prepare = plan.prepare.map(({ from, to, overwrite }) => {
    const put = `mkdir -p ${quote(path.dirname(to))} && rm -f ${quote(to)} && (umask 077 && cat ${quote(from)} > ${quote(to)})`
    return overwrite ? `{ ${put}; }` : `[ -e ${quote(to)} ] || [ -L ${quote(to)} ] || { ${put}; }`
  })
  return [
    ...(gate === null ? [] : [`${saysBuilt}; read -r _ <&${gate} || exit 125; exec ${gate}<&-`]),
    `exec 2>&${agentStderr} ${agentStderr}>&-`,
    // Only programs of the system, because the agent's own ones may not be meant for this.
    ...(prepare.length === 0 ? [] : ['(', `PATH=${quote(systemPath)}`, ...prepare, ')']),
    'command -v -- "$1" >/dev/null 2>&1 || { echo "paddock: $1: not found in the cell" >&2; exit 127; }',
    // Perl prints no warnings about the LANG of the agent.
    ...(start.includes('-t') ? ['export PERL_BADLANG=0'] : []),
    `exec ${[...start, programs.prlimit].map(quote).join(' ')} ${limits.join(' ')} -- "$@"`,
  ].join('\n')
}

/** Returns text quoted as one argument for sh(1). */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
