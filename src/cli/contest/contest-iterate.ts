import { refineContest } from '../../contest/iterate/refine.ts'
import { resumeContest } from '../../contest/iterate/resume.ts'
import type { ContestResult } from '../../contest/report/result.ts'
import type { ContestDeps } from '../../contest/run/deps.ts'
import { rejudgeContest } from '../../contest/run/run-contest.ts'
import { parallelOf, show } from './contest.ts'
import { onContestHost } from './contest-host.ts'

interface Shown {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly parallel?: string
}

/** `paddock contest refine`: a new round that begins with what is sealed. */
export async function contestRefine(
  directory: string,
  options: Shown & { readonly only?: readonly string[]; readonly feedback?: string },
): Promise<number> {
  const { only, feedback } = options
  const asked = { ...parallelOf(options), ...(only === undefined ? {} : { only }), ...(feedback === undefined ? {} : { feedback }) }
  return await toReport(options, (deps) => refineContest(directory, deps, asked))
}

/** `paddock contest rejudge`: new labels for what is sealed. */
export async function contestRejudge(directory: string, options: Shown): Promise<number> {
  return await toReport(options, (deps) => rejudgeContest(directory, deps, parallelOf(options)))
}

/** `paddock contest resume`: goes on with what was begun. */
export async function contestResume(
  directory: string,
  options: Shown & { readonly only?: string; readonly force?: boolean },
): Promise<number> {
  const { only, force } = options
  const asked = { ...parallelOf(options), ...(only === undefined ? {} : { only }), ...(force === undefined ? {} : { force }) }
  return await toReport(options, (deps) => resumeContest(directory, deps, asked))
}

async function toReport(options: Shown, act: (deps: ContestDeps) => Promise<ContestResult>): Promise<number> {
  return await onContestHost(options, async (deps, view) => {
    const result = await act(deps)
    view.end()
    return show(result, options)
  })
}
