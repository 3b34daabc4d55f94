import path from 'node:path'
import type { CellPlan } from '../plan/plan.ts'

/**
 * The last step before the agent, a script of sh(1) inside the cell: gives the agent its own standard error (until
 * then it is the host's, for what goes wrong in building the cell), copies what the private home needs, says clearly
 * that a program is missing, and sets the rlimits.
 */
export function launcher(
  plan: Pick<CellPlan, 'prepare'>,
  prlimit: readonly string[],
  fds: { readonly agentStderr: number; readonly start: number },
  startAgent = 'exec',
): string {
  const { agentStderr, start } = fds
  return [
    // All mounts are made; the host looks at them, and only then lets the agent start.
    `printf '\\006' >&2; read -r _ <&${start} || exit 125; exec ${start}<&-`,
    `exec 2>&${agentStderr} ${agentStderr}>&-`,
    ...plan.prepare.map(({ from, to, overwrite }) => {
      const put = `mkdir -p ${quote(path.dirname(to))} && rm -f ${quote(to)} && (umask 077 && cat ${quote(from)} > ${quote(to)})`
      return overwrite ? `{ ${put}; }` : `[ -e ${quote(to)} ] || [ -L ${quote(to)} ] || { ${put}; }`
    }),
    'command -v -- "$1" >/dev/null 2>&1 || { echo "paddock: $1: not found in the cell" >&2; exit 127; }',
    `${startAgent} prlimit ${prlimit.join(' ')} -- "$@"`,
  ].join('\n')
}

/** One word of sh(1), whatever is in it. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
