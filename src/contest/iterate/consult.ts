import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { Contest } from '../config/brief.ts'
import { readContest } from '../config/brief.ts'
import type { RoleConfig } from '../config/contest-schema.ts'
import { mustTakePart } from '../config/takes-part.ts'
import { inContestSpan } from '../run/contest-span.ts'
import { readyContest } from '../run/ready.ts'
import { type ContestOptions, neverRun, onStage, stopIfCancelled } from '../run/stage.ts'
import { lastSeal, type SealRef } from '../seal/read-seal.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { readStatus } from '../state/contest-state.ts'
import { type Consultation, review } from './review-submission.ts'
import { roleFrom } from './role-from.ts'

export interface ConsultOptions extends Pick<ContestOptions, 'parallel' | 'waitForLimits'> {
  /** The participant whose work is reviewed; absent: all. */
  readonly participant?: string
  /** The reviewers, as `NAME=AGENT`; absent: the judges of contest.yaml. */
  readonly reviewers?: readonly string[]
}

/**
 * `contest consult`: has reviewers read the newest sealed work of participants, each reviewer in its own cell, and collects the reviews by
 * participant.
 * @throws PaddockError NOT_FOUND if there is nothing to review, BAD_INPUT if there is no reviewer, and what `runContest` throws before
 * anything runs
 */
export async function consultContest(directory: string, deps: ContestDeps, options: ConsultOptions = {}): Promise<Consultation> {
  const { participant, reviewers, ...rest } = options
  const { layout } = await readContest(directory)
  if ((await readStatus(layout)) === null) throw neverRun(directory)
  return await onStage(
    directory,
    deps,
    rest,
    'paddock contest consult',
    inContestSpan('consult', async (scene) => {
      const { contest, journal } = scene
      const work = await workOf(contest, journal.status.round, participant)
      const roles = reviewers === undefined ? contest.config.judges : rolesFrom(reviewers)
      if (roles.length === 0)
        throw new PaddockError('BAD_INPUT', 'Nobody would review: contest.yaml has no judges.', {
          hint: `Name a reviewer: paddock contest consult ${shellWord(directory)} --reviewers reviewer=claude`,
        })
      const asJudges: Contest = { ...contest, config: { ...contest.config, judges: [...roles] } }
      const ready = await readyContest(asJudges, (group) => group === 'judges', scene.deps)
      const consultation = await review(scene, ready.judges, work)
      stopIfCancelled(scene)
      return consultation
    }),
  )
}

async function workOf({ config, layout }: Contest, round: number, participant: string | undefined): Promise<SealRef[]> {
  const names = config.participants.map(({ name }) => name)
  if (participant !== undefined) mustTakePart(participant, names, 'contest consult')
  const found: SealRef[] = []
  for (const name of participant === undefined ? names : [participant]) {
    const last = await lastSeal(layout, round, name)
    if (last !== null) found.push({ participant: name, round: last.round, tree: last.tree })
  }
  if (found.length > 0) return found
  throw new PaddockError(
    'NOT_FOUND',
    participant === undefined ? 'There is no submission to review.' : `${participant} has no submission to review.`,
  )
}

function rolesFrom(words: readonly string[]): RoleConfig[] {
  const roles = words.map((who) => roleFrom({ who }, '--reviewers'))
  const twice = roles.find(({ name }, index) => roles.findIndex((each) => each.name === name) !== index)
  if (twice === undefined) return roles
  throw new PaddockError('BAD_INPUT', `--reviewers: the name ${twice.name} is used twice.`, { hint: 'Give each a different name' })
}
