import path from 'node:path'
import { shimMark } from '../../adapters/shim-mark.ts'
import { PaddockError } from '../../base/errors.ts'

/** The number of times that a shim in a cell may start itself through other programs. */
const mostStarts = 20

/**
 * Returns the text of a shim: a script for sh that starts an agent in a cell. In a cell, which limits everything in it already, it starts
 * the next program of that name in PATH. `program`: the absolute paths of Paddock's own command, then its arguments.
 */
export function shimText(agent: string, program: readonly string[]): string {
  const [command = '', launcher = command] = program
  return `#!/bin/sh
${shimMark}${agent}
# Starts ${agent} in a cell, with your settings and those of the project. To remove it: paddock shim remove ${agent}
if [ -e /run/paddock/policy.json ]; then
  # A cell limits everything in it already, so the program itself is started: the next one in PATH that is not a shim.
  case $PADDOCK_SHIM_STARTS in
    ${'x'.repeat(mostStarts)}*)
      echo 'paddock: CELL_FAILED: The programs named ${agent} in PATH start each other without an end.' >&2
      exit 126
      ;;
  esac
  export PADDOCK_SHIM_STARTS="x$PADDOCK_SHIM_STARTS"
  set -f
  IFS=:
  for each in $PATH; do
    [ -f "$each/${agent}" ] && [ -x "$each/${agent}" ] || continue
    line=
    { read -r line; read -r line; } <"$each/${agent}" 2>/dev/null
    case $line in '${shimMark}'*) continue ;; esac
    exec "$each/${agent}" "$@"
  done
  echo 'paddock: AGENT_NOT_INSTALLED: ${agent} is not installed in this cell.' >&2
  exit 127
fi
[ -x ${quoted(command)} ] && [ -e ${quoted(launcher)} ] || {
  echo 'paddock: CELL_FAILED: The Paddock that made this shim is gone, so ${agent} is not started.' >&2
  echo '  hint: Run paddock shim install ${agent}, or remove this file: '"$0" >&2
  exit 125
}
exec ${program.map(quoted).join(' ')} run --as-is --quiet ${agent} "$@"
`
}

/** Returns the program of a shim that starts Paddock, from its text; null: it starts none. */
export function paddockOf(text: string): string | null {
  const last = /^\[ -x '((?:[^']|'\\'')+)' \]/m.exec(text)?.[1]
  return last === undefined ? null : last.replaceAll(`'\\''`, "'")
}

/** Returns the absolute path of a shim. @throws PaddockError BAD_INPUT for a directory that PATH cannot contain */
export function shimFile(directory: string, agent: string): string {
  if (/[:\n\0]/.test(directory))
    throw new PaddockError(
      'BAD_INPUT',
      'The directory of a shim must not contain a colon or a line break, because PATH cannot contain it.',
      {
        hint: 'Give another directory',
      },
    )
  return path.join(directory, agent)
}

/** Returns a text as one word of sh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
