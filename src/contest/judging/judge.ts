import { hash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { redact } from '../../base/errors.ts'
import { printableName } from '../../base/text.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import { writeAtomic, writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { type JudgeTask, judgePrompt, judgePromptVersion, repairPrompt } from '../run/prompts.ts'
import { factsOf, type ReadyRole } from '../run/role.ts'
import { runAgent } from '../run/run-agent.ts'
import type { Disarmed } from '../seal/disarm.ts'
import { addSpent, nothingSpent, type Spent } from '../state/contest-spent.ts'
import { givenTo } from '../state/given.ts'
import { tasksOf } from '../state/judge-state.ts'
import type { Outcome } from '../state/participant-outcome.ts'
import type { OfTask } from '../state/progress.ts'
import { type Scene, tell } from '../state/scene.ts'
import type { ScoresFile, VerdictFile } from './answer-files.ts'
import { lookedUp } from './citations.ts'
import { type AnswerRules, readAnswer } from './judge-answer.ts'
import type { LaidOut } from './lay-out-judging.ts'
import type { Task } from './mapping.ts'
import { maxAnswerBytes } from './scores.ts'
import type { TaskFile } from './task-file.ts'
import { withoutSecrets } from './without-secrets.ts'

/**
 * Gives one task to its judge, and asks once more if the answer was not usable. Records the answer, or why there is none. The judge sees
 * the submissions under the labels of the task. Resolves to the outcome of the judge's agent if that is why there is no answer, else to
 * null.
 */
export async function judgeOne(scene: Scene, who: ReadyRole, judging: number, task: Task, laid: LaidOut): Promise<Outcome | null> {
  const { contest, journal, deps } = scene
  const { rubric } = contest.config
  if (rubric === undefined) throw new Error('a contest with judges has a rubric')
  const files = contest.layout.task(judging, task.judge, task.id)
  const ofTask = ofTaskOf(scene, task)
  const seen = underLabels(task, laid)
  const labels = task.order
  const wording: JudgeTask = {
    mode: task.mode,
    rubric,
    labels,
    someRenamed: seen.some((each) => each.renamed.length > 0),
    // A program prints output but sends no messages.
    repeatsScores: who.run.adapter.name !== 'command',
    hasJudgeBrief: contest.judgeBrief !== null,
    hasRaw: contest.raw !== null,
    hasChanges: seen.some((each) => each.changes !== null),
  }
  const dimensions = rubric.dimensions.map((each) => each.id)
  const rules: AnswerRules = { mode: task.mode, labels, dimensions, scale: rubric.scale }
  const forPrograms = path.join(scene.scratch, 'tasks', `${who.name}-${task.id}.json`)
  await writeJson(forPrograms, { mode: task.mode, order: labels, dimensions, scale: rubric.scale } satisfies TaskFile)

  let problem: string | null = null
  let cause: string | null = null
  const before = journal.task(task)
  const earlierCostUsd = (before.earlierCostUsd ?? 0) + (before.costUsd ?? 0)
  let spent: Spent = { ...nothingSpent, durationMs: 0 }
  for (let ask = 1; ask <= 2; ask += 1) {
    if (problem !== null) await tell(scene, { type: 'repair', name: who.name, problem: withCause(cause, problem) })
    const attempt = journal.task(task).attempt + 1
    await journal.setTask(task, {
      state: 'running',
      attempt,
      outcome: null,
      ...spent,
      earlierCostUsd,
      ...factsOf(who),
      given: givenTo('judge', contest),
    })
    await tell(scene, { type: 'started', role: 'judge', name: who.name, attempt, ...ofTask })
    // Each request gets a new outbox, because a cell writes there: an earlier answer must not be mistaken for a later one.
    const outbox = path.join(scene.scratch, 'outboxes', who.name, task.id, String(attempt))
    await mkdir(outbox, { recursive: true })
    const prompt = problem === null ? judgePrompt(wording) : repairPrompt(wording, problem)
    const run = await runAgent(
      {
        contest,
        role: 'judge',
        who,
        prompt,
        mounts: mountsOf(scene, laid, seen, { outbox, forPrograms }),
        masks: contest.masks,
        files: files.attempt(attempt),
        ofTask,
        home: path.join(scene.scratch, 'homes', `judge-${who.name}-${task.id}-${attempt}`),
      },
      deps,
    )
    spent = addSpent(spent, { ...run.summary, durationMs: run.durationMs })
    await journal.setTask(task, { outcome: run.outcome, ...spent })
    await tell(scene, { type: 'ended', role: 'judge', name: who.name, outcome: run.outcome, durationMs: run.durationMs, ...ofTask })
    if (run.outcome.kind !== 'ran') {
      await fail(scene, task, run.outcome.message ?? run.outcome.kind)
      return run.outcome
    }
    const answer = await readAnswer(outbox, rules, wording.repeatsScores ? run.summary.resultText : null)
    if (answer.kind === 'refused') {
      await journal.setTask(task, { outcome: { ...run.outcome, kind: 'scores-differ' } })
      await fail(scene, task, answer.why)
      return null
    }
    if (answer.kind !== 'problem') {
      const review = await readRegular(path.join(outbox, 'review.md'), maxAnswerBytes)
      // The previous answer counts up to this point.
      if (review.ok) await writeAtomic(files.review, redact(review.bytes.toString('utf8')))
      else await rm(files.review, { force: true })
      await writeJson(files.record, {
        schemaVersion: 1,
        judge: who.name,
        agent: who.run.adapter.name,
        model: who.run.request.model,
        families: who.families,
        attempt,
        prompt: { version: judgePromptVersion, sha256: hash('sha256', prompt) },
        given: Object.entries(givenTo('judge', contest)).map(([text, sha256]) => ({ text, sha256 })),
        renamed: seen.flatMap(({ label, renamed }) =>
          renamed.map(({ from, to }) => ({ label, from: printableName(from), to: printableName(to) })),
        ),
      })
      const about = { schemaVersion: 1, judge: who.name, judging, task: task.id, attempt } as const
      const given = answer.kind === 'scores' ? answer.scores : answer.verdict
      const citations = await lookedUp(given.citations, (label) => laid.work(task, label).directory)
      if (answer.kind === 'scores')
        await writeJson(files.scores, { ...about, ...withoutSecrets({ ...answer.scores, citations }) } satisfies ScoresFile)
      else await writeJson(files.verdict, { ...about, ...withoutSecrets({ ...answer.verdict, citations }) } satisfies VerdictFile)
      const saved = journal.setTask(task, { state: 'scored' })
      // Counted before the await, so that tasks that finish in the meantime are not included.
      const counted = ofTaskOf(scene, task)
      await saved
      await tell(scene, { type: 'scored', name: who.name, ...counted })
      return null
    }
    problem = answer.problem
    cause = run.outcome.message
  }
  await fail(scene, task, `${withCause(cause, problem ?? '')}; it was asked twice`)
  return null
}

function ofTaskOf({ journal }: Scene, { judge, id }: Task): OfTask {
  const own = tasksOf(judge, journal.status.tasks)
  const answered = own.filter(({ state }) => state === 'scored').length
  return own.length > 1 ? { task: { id, of: own.length, answered } } : {}
}

/** Returns a problem with its cause. The outcome of the program comes first, because it explains why the answer is not usable. */
function withCause(cause: string | null, problem: string): string {
  return cause === null ? problem : `${cause.replace(/\.$/, '')}, so ${problem}`
}

async function fail(scene: Scene, task: Task, message: string): Promise<void> {
  const { outcome } = scene.journal.task(task)
  await scene.journal.setTask(task, { state: 'failed', ...(outcome === null ? {} : { outcome: { ...outcome, message } }) })
  await tell(scene, { type: 'judge-failed', name: task.judge, message, ...ofTaskOf(scene, task) })
}

/** The work that a judge sees under one of its labels. */
interface Seen {
  readonly label: string
  readonly directory: string
  readonly renamed: Disarmed['renamed']
  readonly changes: string | null
}

function underLabels(task: Task, laid: LaidOut): Seen[] {
  return task.order.map((label) => ({ label, ...laid.work(task, label) }))
}

/** The files of one task. */
interface OwnFiles {
  readonly outbox: string
  /** The path of TASK.json on the host. */
  readonly forPrograms: string
}

function mountsOf({ contest }: Scene, { texts }: LaidOut, seen: readonly Seen[], { outbox, forPrograms }: OwnFiles): MountWish[] {
  const mounts: MountWish[] = [...texts]
  for (const { label, directory, changes } of seen) {
    mounts.push({ source: directory, target: `/contest/submissions/${label}`, access: 'ro', reason: 'contest' })
    if (changes !== null) mounts.push({ source: changes, target: `/contest/changes/${label}.diff`, access: 'ro', reason: 'contest' })
  }
  if (contest.raw !== null) mounts.push({ source: contest.raw, target: '/contest/raw', access: 'ro', reason: 'contest' })
  mounts.push({ source: forPrograms, target: '/contest/TASK.json', access: 'ro', reason: 'contest' })
  mounts.push({ source: outbox, target: '/contest/outbox', access: 'rw', reason: 'contest' })
  return mounts
}
