import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import type { Paths } from '../../../base/paths.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { writeJson } from '../../../files/atomic.ts'
import { own } from '../../../files/directory-owner.ts'
import { takeLock } from '../../../files/lock.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import { readContest } from '../../config/brief.ts'
import { refuseLinkedRecords } from '../../config/refuse-linked-records.ts'
import { you } from '../../config/you.ts'
import { rubricText } from '../../run/prompts.ts'
import { neverRun } from '../../run/stage.ts'
import { deliveredSubmissions } from '../../seal/delivered.ts'
import { yourLock } from '../../state/contest-lock.ts'
import { fitted, readStatus } from '../../state/contest-state.ts'
import { yourScratchOf } from '../../state/scene.ts'
import type { VerdictFile } from '../answer-files.ts'
import { layOut } from '../lay-out-judging.ts'
import { type Task, writeMapping } from '../mapping.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { dealYours } from './deal-pairs.ts'
import { type Packed, WorkPacker } from './shown-work.ts'
import { readYourMapping, readYours } from './your-answers.ts'

/** Your answer about two submissions: the label of the better one, or a tie. */
export interface YourAnswer {
  readonly better: 'A' | 'B' | 'tie'
  readonly why: string | null
}

/** Two submissions under the labels A and B, as a judge sees them. */
export interface ShownPair extends Packed {
  /** True: a file was renamed because programs would obey it under its original name. */
  readonly someRenamed: boolean
  /** Your earlier answer; null: you have not answered yet. */
  readonly answer: YourAnswer | null
}

/** A contest opened for your judging. It does not reveal the author of any submission. Pairs are numbered from 1. */
export interface YourJudging extends AsyncDisposable {
  /** The texts that judges get to read. */
  readonly texts: readonly { readonly title: string; readonly text: string }[]
  readonly of: number
  readonly answered: number
  /** The number of the first pair without an answer; null: all pairs are answered. */
  readonly next: number | null
  /** Returns the pair; null if the pair does not exist or an earlier one must be answered first. */
  show(place: number): Promise<ShownPair | null>
  /** Resolves to true when the answer is on disk, or to false if `show` would return null. */
  answer(place: number, answer: YourAnswer): Promise<boolean>
}

/**
 * Opens a contest for you to judge: deals pairs of the submissions sealed in this round, or continues with those dealt before, and lays the
 * work out as for judges. It does not lock the contest, so other judges may work at the same time.
 * @throws PaddockError NOT_FOUND if there are fewer than two submissions, BUSY while another process has the contest open for you
 */
export async function openYourJudging(directory: string, deps: { readonly paths: Paths }): Promise<YourJudging> {
  const contest = await readContest(directory)
  const { layout, config } = contest
  await refuseLinkedRecords(layout)
  const status = await readStatus(layout)
  if (status === null) throw neverRun(directory)
  const { round } = status
  const { participants } = fitted(status, config)
  const participant = (name: string) => participants[name] ?? neverHere(name)
  const submissions = await deliveredSubmissions({ contest, journal: { status, participant } })
  if (submissions.length < 2)
    throw new PaddockError(
      'NOT_FOUND',
      `The contest in ${layout.root} has ${submissions.length} sealed in this round, and a pair needs two.`,
      { hint: `Run: paddock contest run ${shellWord(directory)}` },
    )
  const lock = await takeLock({
    file: await yourLock(layout, deps.paths),
    what: `Your judging of the contest in ${layout.root}`,
    command: 'paddock contest judge --me',
  })
  const scratch = yourScratchOf(deps, layout.root)
  const close = async (): Promise<void> => {
    await removeTree(scratch).catch(() => {})
    lock[Symbol.dispose]()
  }
  try {
    const { identity, orders, comparisons } = config.judging
    const sealed = submissions.map((each) => ({ participant: each.participant, tree: each.seal.tree }))
    const mapping = dealYours({ round, submissions: sealed, identity, orders, comparisons }, await readYourMapping(layout, round))
    await writeMapping(layout.yours(round).mapping, mapping)
    await removeTree(scratch)
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    await own(scratch)
    const laid = await layOut(path.join(scratch, 'judging'), contest, submissions, mapping)
    const answers = new Map((await readYours(layout, round))?.answers)
    const packer = new WorkPacker()
    const next = (): number | null => {
      const index = mapping.tasks.findIndex(({ id }) => !answers.has(id))
      return index < 0 ? null : index + 1
    }
    /** Returns the task at a position. Later pairs are not available before the current one is answered. */
    const taskAt = (place: number): Task | null => {
      const task = mapping.tasks[place - 1]
      return task !== undefined && (answers.has(task.id) || place === next()) ? task : null
    }
    return {
      texts: [
        { title: 'The brief', text: contest.brief },
        ...(contest.judgeBrief === null ? [] : [{ title: 'For judges', text: contest.judgeBrief }]),
        ...(config.rubric === undefined ? [] : [{ title: 'The rubric', text: rubricText(config.rubric) }]),
      ],
      of: mapping.tasks.length,
      get answered() {
        return answers.size
      },
      get next() {
        return next()
      },
      async show(place) {
        const task = taskAt(place)
        if (task === null) return null
        const works = task.order.map((label) => ({ label, ...laid.work(task, label) }))
        const given = answers.get(task.id)
        return {
          ...(await packer.pack(works)),
          someRenamed: works.some(({ renamed }) => renamed.length > 0),
          answer: given === undefined ? null : { better: given.better as YourAnswer['better'], why: given.why },
        }
      },
      async answer(place, given) {
        const task = taskAt(place)
        if (task === null) return false
        const file: VerdictFile = {
          schemaVersion: 1,
          judge: you,
          judging: round,
          task: task.id,
          attempt: 1,
          ...withoutSecrets(given),
          citations: [],
        }
        await writeJson(layout.yours(round).verdict(task.id), file)
        answers.set(task.id, file)
        return true
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function neverHere(name: string): never {
  throw new Error(`${name} is not a participant`)
}
