import path from 'node:path'
import { findAdapter } from '../../adapters/find-adapter.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { keptApart } from '../config/sense.ts'
import { limitsOf } from '../run/contest-limits.ts'
import { type Again, pool } from '../run/pool.ts'
import type { ReadyRole } from '../run/role.ts'
import type { Submission } from '../seal/delivered.ts'
import { isComplete, mustJudge } from '../state/counted-judging.ts'
import { type Scene, tell } from '../state/scene.ts'
import { writeIdentity } from './identity/identity-record.ts'
import { judgeOne } from './judge.ts'
import { type Dealing, dealLabels, withJudges } from './labels.ts'
import { layOut } from './lay-out-judging.ts'
import { type Mapping, readMapping, writeMapping } from './mapping.ts'
import { writeOrders } from './orders/orders-record.ts'

/**
 * Has the judges score the submissions under labels. Continues an unfinished judging of exactly the same submissions; otherwise deals new
 * labels and asks every judge again. The submissions are unpacked once, in Paddock's state directory, and removed at the end, also after a
 * failure or an interruption.
 */
export async function runJudging(
  scene: Scene,
  ready: readonly ReadyRole[],
  submissions: readonly Submission[],
  anew: boolean,
): Promise<void> {
  const { contest, journal, retry, only } = scene
  const mapping = await currentMapping(scene, submissions, anew)
  const tasks = mapping.tasks.flatMap((task) => {
    const who = ready.find((each) => each.name === task.judge)
    return who === undefined ? [] : [{ task, who }]
  })
  const open = tasks.filter(({ task, who }) => who.name === only || mustJudge(journal.task(task), retry))
  await tell(scene, { type: 'step', step: 'judges', total: tasks.length, open: open.length })
  if (open.length === 0) return
  const directory = path.join(scene.scratch, 'judging')
  try {
    const laid = await layOut(directory, contest, submissions, mapping)
    await writeIdentity(contest.layout.identity(mapping.judging), laid.identity)
    await writeOrders(contest.layout.ordersToJudges(mapping.judging), laid.orders)
    const limits = limitsOf(scene)
    const work = async ({ task, who }: (typeof open)[number]): Promise<Again | undefined> => {
      const start = limits.start('judge', who.name)
      if (start === null) return undefined
      const outcome = await judgeOne(scene, who, mapping.judging, task, laid)
      start.ended(journal.task(task))
      return outcome === null ? undefined : ((await limits.again('judge', who.name, outcome)) ?? undefined)
    }
    await pool(open, scene.slots, scene.deps.signal, work, ({ who }) => who.families)
    await limits.sayIfSpent()
  } finally {
    await removeTree(directory)
  }
}

async function currentMapping({ contest, journal }: Scene, submissions: readonly Submission[], anew: boolean): Promise<Mapping> {
  const { judging, round } = journal.status
  const dealing: Dealing = { ...contest.config.judging, isApart: keptApart(contest.config, findAdapter) }
  const judges = contest.config.judges.map((each) => each.name)
  const asked = ({ tasks }: Mapping): Mapping['tasks'] => tasks.filter(({ judge }) => judges.includes(judge))
  const before = judging === 0 ? null : await readMapping(contest.layout.mapping(judging))
  if (before !== null && isComplete(journal.status.tasks)) await journal.keepJudging()
  if (!anew && before !== null && before.round === round && isAbout(before, submissions) && isDealtBy(before, dealing)) {
    const joined = judges.filter((each) => !before.tasks.some(({ judge }) => judge === each))
    const mapping = joined.length === 0 ? before : withJudges(before, joined, dealing)
    if (mapping !== before) await writeMapping(contest.layout.mapping(judging), mapping)
    await journal.setTasks(judging, asked(mapping))
    return mapping
  }
  const number = judging + 1
  const mapping = dealLabels(
    { judging: number, round },
    submissions.map((each) => ({ participant: each.participant, tree: each.seal.tree })),
    judges,
    dealing,
  )
  await journal.setTasks(number, asked(mapping))
  await writeMapping(contest.layout.mapping(number), mapping)
  return mapping
}

/** Returns false if families, what is hidden from judges, or the requested answers have changed since the labels were dealt. */
function isDealtBy(mapping: Mapping, { mode, repeats, controls, identity = 'flag', orders = 'flag', isApart }: Dealing): boolean {
  if (mapping.mode !== mode || mapping.repeats !== repeats || mapping.controls !== controls) return false
  if (mapping.identity !== identity || mapping.orders !== orders) return false
  return !mapping.tasks.some(({ judge, labels }) => Object.values(labels).some((participant) => isApart(judge, participant)))
}

function isAbout(mapping: Mapping, submissions: readonly Submission[]): boolean {
  const key = (participant: string, tree: string): string => `${participant} ${tree}`
  const dealt = new Set(mapping.submissions.map((each) => key(each.participant, each.tree)))
  return dealt.size === submissions.length && submissions.every((each) => dealt.has(key(each.participant, each.seal.tree)))
}
