import { refineContest } from '../../contest/iterate/refine.ts'
import { parallelOf, show } from './contest.ts'
import { onContestHost } from './contest-host.ts'

interface IterateOptions {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly parallel?: string
  readonly only?: readonly string[]
  readonly feedback?: string
}

/** `paddock contest refine`: a new round that begins with what is sealed. */
export async function contestRefine(directory: string, options: IterateOptions): Promise<number> {
  return await onContestHost(options, async (deps, view) => {
    const { only, feedback } = options
    const result = await refineContest(directory, deps, {
      ...parallelOf(options),
      ...(only === undefined ? {} : { only }),
      ...(feedback === undefined ? {} : { feedback }),
    })
    view.end()
    return show(result, options)
  })
}
