import type { Command } from 'commander'
import { PaddockError } from '../../base/errors.ts'

/**
 * Returns an error whose message or hint names an option of `paddock run` that was given only after the agent, with a hint to put it before
 * the agent. Other errors are returned as they are. `words`: the agent with its own arguments.
 */
export function hintBeforeAgent(error: unknown, [agent = '', ...words]: readonly string[], run: Command): unknown {
  if (!(error instanceof PaddockError)) return error
  const named: readonly string[] = `${error.message} ${error.hint ?? ''}`.match(/--[a-z][a-z-]*/g) ?? []
  const own = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined).map((each) => each.split('=')[0])
  const late = run.options.filter(
    (each) => named.includes(each.long ?? '') && own.includes(each.long ?? '') && run.getOptionValueSource(each.attributeName()) !== 'cli',
  )
  if (late.length === 0) return error
  return new PaddockError(error.code, error.message, {
    hint: `Put ${late.map((each) => each.long).join(' and ')} before ${agent}, because what follows ${agent} goes to ${agent} itself`,
    cause: error,
  })
}
