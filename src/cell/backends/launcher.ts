import path from 'node:path'
import { hostProgram, systemPath } from '../../system/host-program.ts'
import type { CellPlan } from '../plan/plan.ts'

/** The command of sh(1) with which a cell says that all its mounts have been made. The host checks them before it lets the agent start. */
export const saysBuilt = "printf '\\006' >&2"

/**
 * Returns the last step before the agent, a script for sh(1) inside the cell. The script gives the agent its own standard error (until
 * then it is the host's, for errors while the cell is built), copies the files to the private home, reports
 * a missing program, and sets the rlimits. `gate`: the descriptor at which it waits for the host; null if the cell's init has waited.
 * `start`: programs and arguments that precede the last command.
 */
export function launcher(
  plan: Pick<CellPlan, 'prepare'>,
  prlimit: readonly string[],
  fds: { readonly agentStderr: number; readonly gate: number | null },
  start: readonly string[] = [],
): string {
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
    // Not from the agent's PATH, where an earlier agent may have put a program that sets none.
    `exec ${start.map(quote).join(' ')} ${hostProgram('prlimit', systemPath) ?? 'prlimit'} ${prlimit.join(' ')} -- "$@"`,
  ].join('\n')
}

/** Returns text quoted as one argument for sh(1). */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
