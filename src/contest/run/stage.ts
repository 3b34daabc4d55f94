import { mkdir } from 'node:fs/promises'
import { findAdapter } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { own } from '../../files/directory-owner.ts'
import { takeLock } from '../../files/lock.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { refuseUntrusted } from '../config/asked-rights.ts'
import { type Contest, readContest } from '../config/brief.ts'
import { placeOf, placeOfRound, unequalLevels } from '../config/contest-places.ts'
import { refuseLinkedRecords } from '../config/refuse-linked-records.ts'
import { kinOf } from '../config/sense.ts'
import { refuseUntouched } from '../config/untouched.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { contestLock } from '../state/contest-lock.ts'
import { type ContestStatus, nextRound, openJournal, readStatus } from '../state/contest-state.ts'
import { fingerprintOf } from '../state/fingerprint.ts'
import { noteContest } from '../state/known-contests.ts'
import type { Purse } from '../state/purse.ts'
import { readStarts, type Starts, writeStarts } from '../state/round-start.ts'
import { type Scene, scratchOf, tell } from '../state/scene.ts'
import { parallelByMachine, type Slots, slotsOf } from '../state/slots.ts'
import { mustRun } from './round.ts'
import { whoRunsAgain } from './runs-again.ts'
import { credentialsInPlay } from './secrets-in-play.ts'
import { settleEarlier } from './settle.ts'
import { carrySeals } from './start/carry.ts'

export interface ContestOptions {
  /** Starts a new round. Earlier rounds stay on disk. */
  readonly fresh?: boolean
  /** Reruns participants and judges that failed to run. */
  readonly retry?: boolean
  /** With `retry`: reruns only this participant or judge, regardless of its outcome. */
  readonly only?: string
  /** The maximum number of cells at the same time; overrides contest.yaml. */
  readonly parallel?: number
  /** The longest wait for rate limits, in milliseconds; overrides contest.yaml. */
  readonly waitForLimits?: number
  /** US dollars after which no more agents start, if contest.yaml does not have a lower budget. */
  readonly budget?: number
  /** The command that other processes report when the contest is busy; `paddock contest run` by default. */
  readonly command?: string
  /** Returns the starts of a new round, which then begins; earlier rounds stay on disk. Called with the lock held. */
  readonly begin?: (contest: Contest, status: ContestStatus) => Promise<Starts>
  /** The slots and the budget that all contests of a suite share. */
  readonly shared?: { readonly slots: Slots; readonly purse: Purse }
}

/**
 * Reads a contest, takes its lock, opens its journal, and runs `act` on it. Temporary files are removed at the end.
 * Throws BAD_INPUT, NOT_ALLOWED, BUSY while another process works on the contest, and what `act` throws.
 */
export async function onStage<T>(
  directory: string,
  means: ContestDeps,
  options: ContestOptions,
  command: string,
  act: (scene: Scene) => Promise<T>,
): Promise<T> {
  const contest = await readContest(directory)
  refuseUntouched(contest)
  await refuseUntrusted(contest, means.isTrusted)
  const { layout, config } = contest
  const again = whoRunsAgain(config, options, directory)
  await refuseLinkedRecords(layout)
  using _lock = await takeLock({ file: await contestLock(layout, means.paths), what: `The contest in ${layout.root}`, command })
  noteContest(means.paths.state, { root: contest.root })
  const fingerprint = fingerprintOf(contest)
  const round = options.begin === undefined ? {} : { round: await beginRound(contest, directory, options.begin) }
  await using journal = await openJournal(
    layout,
    {
      contest: config.name,
      fingerprint,
      posture: means.place?.posture,
      participants: config.participants,
      judges: config.judges,
    },
    { now: means.now, fresh: options.fresh ?? false, ...round },
  )
  const deps = onPlaceOf(journal.status, means)
  const starts = await readStarts(layout, journal.status.round)
  const scratch = scratchOf(deps, layout.root)
  await removeTree(scratch)
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  await own(scratch)
  const cells = options.parallel ?? config.parallel ?? parallelByMachine(deps.machine)
  const { slots, purse } = options.shared ?? { slots: slotsOf({ cells }), purse: null }
  const inPlay = credentialsInPlay(config, deps)
  const waits = options.waitForLimits === undefined ? {} : { waitForLimits: options.waitForLimits }
  const scene: Scene = {
    contest: { ...contest, config: { ...config, ...waits, ...lowerBudget(config.budget, options.budget) } },
    journal,
    deps,
    starts,
    slots,
    purse,
    scratch,
    inPlay,
    ...again,
  }
  try {
    await warn(scene, fingerprint)
    await settleEarlier(scene)
    await carrySeals(scene)
    return await act(scene)
  } finally {
    for (const each of inPlay) each.dispose()
    await removeTree(scratch).catch(() => {})
  }
}

/** Returns the dependencies for a round that began. */
export function onPlaceOf<D extends Pick<ContestDeps, 'place'>>(status: Pick<ContestStatus, 'posture'> | null, deps: D): D {
  return deps.place === undefined ? deps : { ...deps, place: placeOfRound(deps.place, status?.posture) }
}

/** A budget of the caller only lowers that of contest.yaml. */
const lowerBudget = (own: number | undefined, given: number | undefined): { readonly budget?: number } =>
  given === undefined ? {} : { budget: Math.min(given, own ?? given) }

/** Records what a new round starts with, and returns its number. If Paddock is killed before the status names the round, it is ignored. */
async function beginRound({ layout, ...rest }: Contest, directory: string, begin: NonNullable<ContestOptions['begin']>): Promise<number> {
  const status = await readStatus(layout)
  if (status === null) throw neverRun(directory)
  const starts = await begin({ layout, ...rest }, status)
  const round = await nextRound(layout)
  await writeStarts(layout, round, starts)
  return round
}

/** Returns the error for commands that need sealed work. */
export function neverRun(directory: string): PaddockError {
  return new PaddockError('NOT_FOUND', `The contest in ${directory} was never run.`, {
    hint: `Run: paddock contest run ${shellWord(directory)}`,
  })
}

async function warn(scene: Scene, fingerprint: string): Promise<void> {
  const { contest, journal, deps } = scene
  const { config } = contest
  if (journal.status.fingerprint !== fingerprint && config.participants.some((each) => !mustRun(journal.participant(each.name), false))) {
    await tell(scene, {
      type: 'warning',
      message: 'contest.yaml or BRIEF.md changed since this round began; earlier work stays, and --fresh starts a new round',
    })
  }
  const levels = unequalLevels(config.participants.map((each) => ({ name: each.name, posture: placeOf(config, each, deps.place).posture })))
  if (levels !== null)
    await tell(scene, { type: 'warning', message: `participants are at different isolation levels, so they are not equals: ${levels}` })
  if (config.judging.policy === 'warn') {
    for (const { judge, participant, family } of kinOf(config, findAdapter)) {
      await tell(scene, {
        type: 'warning',
        message: `judge ${judge} and participant ${participant} are both of the family ${family}`,
      })
    }
  }
  deps.audit({ kind: 'contest', data: { root: contest.layout.root, round: journal.status.round, fingerprint } })
}

export function stopIfCancelled({ deps, contest }: Scene): void {
  if (!deps.signal.aborted) return
  throw new PaddockError('CANCELLED', 'The contest was stopped. Finished work is kept.', {
    hint: `To continue, run: paddock contest run ${shellWord(contest.layout.root)}`,
  })
}
