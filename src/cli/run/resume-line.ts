import type { AgentAdapter } from '../../adapters/adapter.ts'
import { lastSession } from '../../adapters/last-session.ts'
import { redact } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'

/**
 * Returns the command that continues the last conversation of a terminal in a cell, for a shell. The command that the CLI prints would run
 * on the host, without a cell. Empty if the session is not in the private home, where the next cell would find it.
 * `options`: the options of this run as they were given.
 */
export function resumeLines(
  agent: AgentAdapter | null,
  { home }: CellSpec,
  startedAt: string,
  options: readonly string[],
): readonly string[] {
  if (agent?.sessions === undefined || home.kind !== 'persistent') return []
  const args = lastSession(agent.sessions, home.path, Date.parse(startedAt))
  if (args === null) return []
  const { words, names } = withoutValues(options)
  const command = ['paddock', 'run', ...words, agent.name, ...args].map(shellWord).join(' ')
  const first = names.length === 0 ? '' : ` (first export ${names.join(' and ')} with the same value as in this run)`
  return [`continue with: ${command}${first}`]
}

/** Returns options without the values of variables, which can be secrets, and the names of these variables. */
function withoutValues(options: readonly string[]): { readonly words: readonly string[]; readonly names: readonly string[] } {
  const names: string[] = []
  const words = options.map((word, at) => {
    const [, start, name] = (options[at - 1] === '--env' ? /^()([^=]*)=/s : /^(--env=)([^=]*)=/s).exec(word) ?? []
    if (start === undefined || name === undefined) return redact(word)
    names.push(name)
    return `${start}${name}`
  })
  return { words, names }
}
