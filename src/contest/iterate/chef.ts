import { findAdapter } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import type { Contest } from '../config/brief.ts'
import type { RoleConfig } from '../config/contest-schema.ts'
import { familiesBehind } from '../config/sense.ts'
import { shuffled } from '../judging/shuffled.ts'
import type { ContestResult } from '../report/result.ts'
import { readyContest } from '../run/ready.ts'
import { type ContestOptions, neverRun, onPlaceOf } from '../run/stage.ts'
import { readSeal, type SealRef } from '../seal/read-seal.ts'
import { runContest } from '../stages/run-contest.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import type { ContestStatus } from '../state/contest-state.ts'
import { readStarts, writeStarts } from '../state/round-start.ts'
import { addToContest } from './add.ts'
import { type RoleWish, roleFrom } from './role-from.ts'

export interface ChefOptions extends Pick<ContestOptions, 'parallel' | 'waitForLimits'> {
  /** The role of the chef. Absent: the role of the base, or else of the first donor, under the name `chef`. */
  readonly as?: RoleWish
  /** The work that the chef's `out` starts with, as `NAME` or `NAME@ROUND`. */
  readonly base?: string
  /** The work that the chef sees, in the same form. Absent: all work delivered in this round. */
  readonly donors?: readonly string[]
}

/**
 * `contest chef`: adds a participant to this round that sees the sealed work of others and combines the best of it, then continues as
 * `contest run`. When it is judged, the chef also belongs to the families of the participants whose work it has seen.
 * @throws PaddockError what `runContest` throws; NOT_FOUND, without any change, if the work does not exist
 */
export async function chefContest(directory: string, deps: ContestDeps, options: ChefOptions): Promise<ContestResult> {
  const { as, base, donors, ...rest } = options
  await addToContest(directory, deps, 'paddock contest chef', async (contest, status) => {
    if (status === null) throw neverRun(directory)
    const from = base === undefined ? null : await refOf(contest, status, base, '--base')
    const seen = donors === undefined ? await delivered(contest, status) : await refsOf(contest, status, donors)
    const others = seen.filter((each) => each.participant !== from?.participant || each.round !== from.round)
    const first = from ?? others[0]
    if (first === undefined) throw new PaddockError('NOT_FOUND', 'There is no submission for a chef to see.')
    const role = withFamilies(contest, as === undefined ? { ...entryOf(contest, first), name: 'chef' } : roleFrom(as, '--as'), [
      ...(from === null ? [] : [from]),
      ...others,
    ])
    return {
      group: 'participants',
      role,
      before: async (changed) => {
        await readyContest(changed, (group, name) => group === 'participants' && name === role.name, onPlaceOf(status, deps))
        const start = { from, carried: null, donors: shuffled(others), feedback: null }
        const starts = await readStarts(contest.layout, status.round)
        await writeStarts(contest.layout, status.round, { ...starts, [role.name]: start })
      },
    }
  })
  return await runContest(directory, deps, { ...rest, command: 'paddock contest chef' })
}

async function delivered({ layout, config }: Contest, { round, participants }: ContestStatus): Promise<SealRef[]> {
  const found: SealRef[] = []
  for (const { name: participant } of config.participants) {
    const at = Object.hasOwn(participants, participant) ? participants[participant] : undefined
    const seal = at?.outcome?.kind === 'delivered' ? await readSeal(layout, round, participant) : null
    if (seal?.state === 'sealed') found.push({ participant, round, tree: seal.tree })
  }
  return found
}

async function refsOf(contest: Contest, status: ContestStatus, words: readonly string[]): Promise<SealRef[]> {
  const found: SealRef[] = []
  for (const each of new Set(words)) found.push(await refOf(contest, status, each, '--donors'))
  return found
}

/** Returns the sealed work named by `NAME` or `NAME@ROUND`. */
async function refOf(contest: Contest, status: ContestStatus, word: string, place: string): Promise<SealRef> {
  const [, participant = '', at] = /^([a-z0-9-]+)(?:@([1-9]\d{0,8}))?$/.exec(word) ?? []
  const round = at === undefined ? status.round : Number(at)
  const seal = participant === '' ? null : await readSeal(contest.layout, round, participant)
  if (seal?.state === 'sealed') return { participant, round, tree: seal.tree }
  const names = contest.config.participants.map(({ name }) => name).join(', ')
  throw new PaddockError('NOT_FOUND', `${place} ${word}: nothing of that name is sealed in round ${round}.`, {
    hint: `Name a participant (${names}), or one in a round, such as NAME@1`,
  })
}

function entryOf({ config }: Contest, { participant }: SealRef): RoleConfig {
  const entry = config.participants.find(({ name }) => name === participant)
  if (entry !== undefined) return entry
  throw new PaddockError('BAD_INPUT', `${participant} is not in contest.yaml any more, so the vendor of its model is not known.`, {
    hint: 'Add it to contest.yaml again, or name other donors',
  })
}

/** Returns the role with the families of the work that it sees, because judges must not score work that their own family contributed to. */
function withFamilies(contest: Contest, role: RoleConfig, seen: readonly SealRef[]): RoleConfig {
  const own = familiesBehind(role, findAdapter(role.agent))
  if (own.includes('various') && contest.config.judges.length > 0)
    throw new PaddockError('BAD_INPUT', `The vendor of the model of ${role.name} is not known.`, {
      hint: 'Name the vendor with --family, for example --family anthropic',
    })
  const donors = seen.flatMap((each) => {
    const entry = entryOf(contest, each)
    return familiesBehind(entry, findAdapter(entry.agent))
  })
  const families = [...new Set([...own, ...donors])].filter((each) => each !== 'various')
  if (families.every((each) => own.includes(each))) return role
  const { family: _, ...rest } = role
  return { ...rest, families }
}
