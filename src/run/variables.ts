import { PaddockError } from '../base/errors.ts'
import type { RunRequest } from '../config/request/request.ts'

/**
 * The start of the names of variables with which another program gives values for `--env NAME`. Neither Paddock nor its programs obey them, and
 * other users of the machine cannot see them.
 */
export const givenPrefix = 'PADDOCK_VARIABLE_'

/**
 * Returns the variables that a request names, with their values. Names from a configuration count only if they are set.
 * @throws PaddockError BAD_INPUT for a name from the caller that is empty or not set
 */
export function variablesOf(named: RunRequest['env'], env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { value: text, origin } of named) {
    const equals = text.indexOf('=')
    const name = equals < 0 ? text : text.slice(0, equals)
    const value = equals < 0 ? (env[`${givenPrefix}${name}`] ?? env[name]) : text.slice(equals + 1)
    if (name === '')
      throw new PaddockError('BAD_INPUT', `${origin.place} ${text}: the name of a variable is missing.`, {
        hint: 'Give NAME to pass a variable of your environment, or NAME=VALUE',
      })
    // If a project names a variable, the user's value is used unless the user sets another one.
    if (origin.from === 'project' && Object.hasOwn(found, name)) continue
    if (value !== undefined) found[name] = value
    else if (origin.from === 'caller' && !/^\w+$/.test(name))
      throw new PaddockError('BAD_INPUT', `${origin.place} ${text}: no variable can have this name.`, {
        hint: 'Give NAME to pass a variable of your environment, or NAME=VALUE',
      })
    else if (origin.from === 'caller')
      throw new PaddockError('BAD_INPUT', `${origin.place}: ${name} is not set in your environment.`, {
        hint: `Run: export ${name}=…, or give ${name}=VALUE`,
      })
  }
  return found
}
