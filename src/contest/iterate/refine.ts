import { PaddockError } from '../../base/errors.ts'
import type { Contest } from '../config/brief.ts'
import { mustTakePart } from '../config/takes-part.ts'
import type { ContestResult } from '../report/result.ts'
import { outcomeOfSeal } from '../run/outcome-of-run.ts'
import type { ContestOptions } from '../run/stage.ts'
import { lastSeal } from '../seal/read-seal.ts'
import type { Seal } from '../seal/seal-schema.ts'
import { runContest } from '../stages/run-contest.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import type { ContestStatus } from '../state/contest-state.ts'
import type { Outcome } from '../state/participant-outcome.ts'
import type { Start, Starts } from '../state/round-start.ts'
import { feedbackFor, readFeedback } from './feedback.ts'

export interface RefineOptions extends Pick<ContestOptions, 'parallel' | 'waitForLimits' | 'shared'> {
  /** The participants that work again; absent: all. */
  readonly only?: readonly string[]
  /** A file to use instead of FEEDBACK.md. */
  readonly feedback?: string
  /** Reviews by participant. */
  readonly reviews?: ReadonlyMap<string, string>
}

/**
 * `contest refine`: starts a new round in which participants start with their last submission. With `only`, the others keep their work:
 * they are not run again, but are checked and judged with the rest. Throws what `runContest` throws, NOT_FOUND if nothing was ever run or
 * sealed.
 */
export async function refineContest(directory: string, deps: ContestDeps, options: RefineOptions = {}): Promise<ContestResult> {
  const { parallel, waitForLimits, shared } = options
  return await runContest(directory, deps, {
    ...(parallel === undefined ? {} : { parallel }),
    ...(waitForLimits === undefined ? {} : { waitForLimits }),
    ...(shared === undefined ? {} : { shared }),
    command: 'paddock contest refine',
    begin: (contest, status) => startsOf(contest, status, options),
  })
}

async function startsOf(
  contest: Contest,
  status: ContestStatus,
  { only, feedback: file, reviews }: Pick<RefineOptions, 'only' | 'feedback' | 'reviews'>,
): Promise<Starts> {
  const names = contest.config.participants.map((each) => each.name)
  for (const each of only ?? []) mustTakePart(each, names, '--only')
  const told = await readFeedback(contest, file)
  const starts: [string, Start][] = []
  for (const name of names) {
    const last = await lastSeal(contest.layout, status.round, name)
    const runs = only === undefined || only.includes(name)
    const from = last === null ? null : { participant: name, round: last.round, tree: last.tree }
    const carried = runs ? null : keptAs(contest, status, name, last)
    // Feedback is only for participants that were asked to use it, even if others are run again in this round.
    const feedback = runs ? feedbackFor(name, told, reviews?.get(name)) : null
    starts.push([name, { from, carried, donors: [], feedback }])
  }
  if (!starts.some(([, start]) => start.from !== null))
    throw new PaddockError('NOT_FOUND', `Nothing is sealed in ${contest.layout.root} that could be refined.`, {
      hint: 'Start a new round with: paddock contest run --fresh',
    })
  return Object.fromEntries(starts)
}

/** Returns the outcome of a participant that is not run in this round, from the status of its work, or else from its seal. */
function keptAs(
  { config }: Contest,
  status: ContestStatus,
  name: string,
  last: { readonly seal: Seal; readonly round: number } | null,
): NonNullable<Start['carried']> {
  const at = Object.hasOwn(status.participants, name) ? status.participants[name] : undefined
  const given = at?.given === undefined ? {} : { given: at.given }
  const isSealed = at?.state === 'sealed' || at?.state === 'checked'
  if (last !== null && last.round === status.round && isSealed && at.outcome !== null) return { outcome: at.outcome, ...given }
  if (last !== null) return { outcome: outcomeOfSeal(outcome('ran', null), last.seal, config.outputs.required) }
  const before = at?.outcome ?? null
  if (before !== null && before.kind !== 'cancelled' && before.kind !== 'ran') return { outcome: before }
  return { outcome: outcome('start-failed', 'it has no submission, and was not run in this round') }
}

function outcome(kind: Outcome['kind'], message: string | null): Outcome {
  return { kind, exitCode: null, message, hint: null, resetsAt: null }
}
