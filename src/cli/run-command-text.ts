import { redact } from '../base/errors.ts'
import { shellWord } from '../base/shell-word.ts'
import type { TrifectaRemedy } from '../run/trifecta/trifecta-remedy.ts'

/**
 * Returns a command of `paddock run`, for a shell. `options`: the options of this run as they were given. The values of variables, which can be
 * secrets, are left out and must be exported before.
 */
export function commandText(options: readonly string[], program: readonly string[]): string {
  const { words, names } = withoutValues(options)
  const command = ['paddock', 'run', ...words, ...program].map(shellWord).join(' ')
  return names.length === 0 ? command : `${command} (first export ${names.join(' and ')} with the same value as in this run)`
}

/** Returns the hint with the command that starts the same run after a change that ends the lethal trifecta. */
export function rerunHint(options: readonly string[], program: readonly string[], remedy: TrifectaRemedy): string {
  return `Run: ${commandText([...leftOut(options, remedy), ...remedy.add], program)}`
}

/** Returns options without those to leave out, each of which has a value, as `--option VALUE` or `--option=VALUE`. */
function leftOut(options: readonly string[], { leaveOut, keptHost }: TrifectaRemedy): readonly string[] {
  const kept: string[] = []
  for (let at = 0; at < options.length; at++) {
    const word = options[at] ?? ''
    const [name = '', inWord] = word.split(/=(.*)/s)
    const value = inWord ?? options[at + 1] ?? ''
    const goes = leaveOut.includes(name) && !(name === '--allow' && keptHost !== null && value.split(/[:=]/)[0] === keptHost)
    if (!goes) kept.push(word)
    else if (inWord === undefined) at++
  }
  return kept
}

/** Returns options without the values of variables, and the names of these variables. */
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
