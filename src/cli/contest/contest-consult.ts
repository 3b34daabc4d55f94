import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { exitCodes } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { consultContest } from '../../contest/iterate/consult.ts'
import { refineContest } from '../../contest/iterate/refine.ts'
import type { Consultation } from '../../contest/iterate/review-submission.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { resultAnswer } from './contest.ts'
import { onContestHost } from './contest-host.ts'
import { type Pacing, pacing } from './pace-options.ts'

interface ConsultFlags extends Pacing {
  readonly quiet?: boolean
  readonly reviewers?: readonly string[]
  readonly refine?: boolean
}

/** `paddock contest consult`: writes reviews; with `--refine`, participants read them in a new round. Exit code 1 without a review. */
export async function contestConsult(
  directory: string,
  participant: string | undefined,
  options: ConsultFlags,
): Promise<Answer<Result<'contest consult'>>> {
  return await onContestHost(options, async (deps, view) => {
    const { reviewers } = options
    const consultation = await consultContest(directory, deps, {
      ...pacing(options),
      ...(participant === undefined ? {} : { participant }),
      ...(reviewers === undefined ? {} : { reviewers }),
    })
    const written = consultation.participants.filter((each) => each.reviews !== null)
    if (options.refine === true && written.length > 0) {
      const reviews = new Map<string, string>()
      for (const each of written) reviews.set(each.participant, await readFile(path.join(directory, each.reviews ?? ''), 'utf8'))
      const only = participant === undefined ? {} : { only: [participant] }
      const result = await refineContest(directory, deps, { ...pacing(options), ...only, reviews })
      view.end()
      return resultAnswer(result, directory)
    }
    view.end()
    return {
      data: consultation,
      lines: linesOf(directory, consultation),
      notes: written.length === 0 ? ['no review was written'] : [],
      exitCode: written.length === 0 ? exitCodes.no : exitCodes.done,
    }
  })
}

function* linesOf(directory: string, { participants }: Consultation): Generator<string> {
  for (const { participant, reviews, reviewers } of participants) {
    const count = reviewers.filter((each) => each.reviewed).length
    const file = reviews === null ? '' : `  ${path.join(directory, reviews)}`
    yield `${participant}  ${count} of ${reviewers.length} ${reviewers.length === 1 ? 'review' : 'reviews'}${file}`
    if (reviews !== null)
      yield `  to have ${participant} work with that: paddock contest refine ${shellWord(directory)} --only ${participant} --feedback ${shellWord(path.join(directory, reviews))}`
  }
}
