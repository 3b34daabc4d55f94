import type { AgentAdapter, AgentWishes } from '../../adapters/adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import type { RunRequest } from '../../config/request/request.ts'

/**
 * Checks the wish for an agent without its own web tools. `place`: the start of sentences about the run.
 * @throws PaddockError `BAD_INPUT` if they cannot be removed, or if the user's own arguments could bring them back
 */
export function refuseWebTools({ withoutWebTools: origin, args }: RunRequest, adapter: AgentAdapter, place: string): void {
  if (origin === undefined) return
  const at = origin.place.startsWith(place.replace(/: $/, '')) ? origin.place : `${place}${origin.place}`
  if (adapter.withoutWebTools === undefined)
    throw new PaddockError('BAD_INPUT', `${at}: Paddock knows no way to remove the web tools of ${adapter.name}.`, { hint: 'Leave it out' })
  const back = bringsBack(args, adapter)
  if (back !== undefined)
    throw new PaddockError('BAD_INPUT', `${at}: the argument ${back} could bring the web tools of ${adapter.name} back.`, {
      hint: 'Leave one of them out',
    })
}

/** Returns the argument that could bring removed web tools back. */
export function bringsBack(
  args: readonly string[],
  { withoutWebTools: removal }: Pick<AgentAdapter, 'withoutWebTools'>,
): string | undefined {
  return removal?.by === 'options' ? args.find((each) => removal.undone?.test(each)) : undefined
}

/** Returns the options that remove the web tools from a command line of the caller's own. */
export function webToolOptions({ withoutWebTools: removal }: AgentAdapter, { webTools }: AgentWishes): readonly string[] {
  return webTools === false && removal?.by === 'options' ? removal.options : []
}
