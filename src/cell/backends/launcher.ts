import path from 'node:path'
import { systemPath } from '../../system/host-program.ts'
import type { CellPlan } from '../plan/plan.ts'

/**
 * Returns the last step before the agent, a script for sh(1) inside the cell. The script gives the agent its own standard error (until
 * then it is the host's, for errors while the cell is built), copies the files to the private home, reports
 * a missing program, and sets the rlimits. `start`: programs and arguments that precede the last command.
 */
export function launcher(
  plan: Pick<CellPlan, 'prepare'>,
  prlimit: readonly string[],
  fds: { readonly agentStderr: number; readonly start: number },
  start: readonly string[] = [],
): string {
  const { agentStderr, start: gate } = fds
  const prepare = plan.prepare.map(({ from, to, overwrite }) => {
    const put = `mkdir -p ${quote(path.dirname(to))} && rm -f ${quote(to)} && (umask 077 && cat ${quote(from)} > ${quote(to)})`
    return overwrite ? `{ ${put}; }` : `[ -e ${quote(to)} ] || [ -L ${quote(to)} ] || { ${put}; }`
  })
  return [
    // All mounts have been made. The host checks them before it lets the agent start.
    `printf '\\006' >&2; read -r _ <&${gate} || exit 125; exec ${gate}<&-`,
    `exec 2>&${agentStderr} ${agentStderr}>&-`,
    // Only programs of the system, because the cell's init, which holds back set-group-ID bits, is not there yet.
    ...(prepare.length === 0 ? [] : ['(', `PATH=${quote(systemPath)}`, ...prepare, ')']),
    'command -v -- "$1" >/dev/null 2>&1 || { echo "paddock: $1: not found in the cell" >&2; exit 127; }',
    // Perl prints no warnings about the LANG of the agent.
    ...(start.includes('-t') ? ['export PERL_BADLANG=0'] : []),
    `exec ${start.map(quote).join(' ')} prlimit ${prlimit.join(' ')} -- "$@"`,
  ].join('\n')
}

/** Returns text quoted as one argument for sh(1). */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
