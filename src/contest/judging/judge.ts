import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { MountWish } from '../../cell/plan/spec.ts'
import { redact } from '../../errors.ts'
import { writeAtomic, writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { printableName } from '../../text.ts'
import { type JudgeTask, judgePrompt, repairPrompt } from '../run/prompts.ts'
import type { ReadyRole } from '../run/role.ts'
import { type AgentRun, runAgent } from '../run/run-agent.ts'
import { givenTo } from '../state/given.ts'
import { type Scene, tell } from '../state/scene.ts'
import type { JudgeStatus } from '../state/status.ts'
import { readAnswer } from './answer.ts'
import type { Disarmed } from './disarm.ts'
import type { Task } from './labels.ts'
import type { LaidOut } from './lay-out.ts'
import { maxAnswerBytes } from './scores.ts'
import { withoutSecrets } from './without-secrets.ts'

/**
 * Gives one task to its judge, once more if its answer could not be used, and writes down the answer or why there is none. The judge sees the
 * submissions under the labels of the task.
 */
export async function judgeOne(scene: Scene, who: ReadyRole, judging: number, task: Task, laid: LaidOut): Promise<void> {
  const { contest, journal, deps } = scene
  const { rubric } = contest.config
  if (rubric === undefined) throw new Error('a contest with judges has a rubric')
  const files = contest.layout.task(judging, task.judge, task.id)
  await rm(files.scores, { force: true })
  await rm(files.review, { force: true })
  const seen = underLabels(task, laid)
  const labels = task.order
  const wording: JudgeTask = {
    rubric,
    labels,
    someRenamed: seen.some((each) => each.renamed.length > 0),
    // A program's output is not a message.
    repeatsScores: who.run.adapter.name !== 'command',
    hasJudgeBrief: contest.judgeBrief !== null,
    hasRaw: contest.raw !== null,
  }
  const rules = { labels, dimensions: rubric.dimensions.map((each) => each.id), scale: rubric.scale }

  let problem: string | null = null
  let cause: string | null = null
  const before = journal.judge(who.name)
  const earlierCostUsd = (before.earlierCostUsd ?? 0) + (before.costUsd ?? 0)
  let spent = { durationMs: 0, usage: null as JudgeStatus['usage'], costUsd: null as number | null }
  for (let ask = 1; ask <= 2; ask += 1) {
    if (problem !== null) await tell(scene, { type: 'repair', name: who.name, problem: withCause(cause, problem) })
    const attempt = journal.judge(who.name).attempt + 1
    await journal.setJudge(who.name, {
      state: 'running',
      attempt,
      outcome: null,
      ...spent,
      earlierCostUsd,
      given: givenTo('judge', contest),
    })
    await tell(scene, { type: 'started', role: 'judge', name: who.name, attempt })
    // One for each time that the judge is asked, so that no answer is taken for a later one, and none that stays: a cell writes there.
    const outbox = path.join(scene.scratch, 'outboxes', who.name, task.id, String(attempt))
    await mkdir(outbox, { recursive: true })
    const run = await runAgent(
      {
        role: 'judge',
        who,
        prompt: problem === null ? judgePrompt(wording) : repairPrompt(wording, problem),
        mounts: mountsOf(scene, laid, seen, outbox),
        masks: contest.masks,
        files: files.attempt(attempt),
        home: path.join(scene.scratch, 'homes', `judge-${who.name}-${task.id}-${attempt}`),
      },
      deps,
    )
    spent = sum(spent, run)
    await journal.setJudge(who.name, { outcome: run.outcome, ...spent })
    await tell(scene, { type: 'ended', role: 'judge', name: who.name, outcome: run.outcome, durationMs: run.durationMs })
    if (run.outcome.kind !== 'ran') return fail(scene, who, run.outcome.message ?? run.outcome.kind)
    const answer = await readAnswer(outbox, rules, wording.repeatsScores ? run.summary.resultText : null)
    if (answer.kind === 'refused') {
      await journal.setJudge(who.name, { outcome: { ...run.outcome, kind: 'scores-differ' } })
      return fail(scene, who, answer.why)
    }
    if (answer.kind === 'scores') {
      const review = await readRegular(path.join(outbox, 'review.md'), maxAnswerBytes)
      if (review.ok) await writeAtomic(files.review, redact(review.bytes.toString('utf8')))
      await writeJson(files.record, {
        schemaVersion: 1,
        judge: who.name,
        agent: who.run.adapter.name,
        model: who.run.request.model,
        family: who.family,
        attempt,
        renamed: seen.flatMap(({ label, renamed }) =>
          renamed.map(({ from, to }) => ({ label, from: printableName(from), to: printableName(to) })),
        ),
      })
      await writeJson(files.scores, {
        schemaVersion: 1,
        judge: who.name,
        judging,
        task: task.id,
        attempt,
        ...withoutSecrets(answer.scores),
      })
      await journal.setJudge(who.name, { state: 'scored' })
      await tell(scene, { type: 'scored', name: who.name })
      return
    }
    problem = answer.problem
    cause = run.outcome.message
  }
  await fail(scene, who, `${withCause(cause, problem ?? '')}; it was asked twice`)
}

/** How its program ended comes first: that is why the answer cannot be used. */
function withCause(cause: string | null, problem: string): string {
  return cause === null ? problem : `${cause.replace(/\.$/, '')}, so ${problem}`
}

async function fail(scene: Scene, who: ReadyRole, message: string): Promise<void> {
  const { outcome } = scene.journal.judge(who.name)
  await scene.journal.setJudge(who.name, { state: 'failed', ...(outcome === null ? {} : { outcome: { ...outcome, message } }) })
  await tell(scene, { type: 'judge-failed', name: who.name, message })
}

/** What a judge sees under each of its labels. */
interface Seen {
  readonly label: string
  readonly directory: string
  readonly renamed: Disarmed['renamed']
}

function underLabels({ order, labels }: Task, laid: LaidOut): Seen[] {
  return order.map((label) => {
    const submission = laid.submissions.get(labels[label] ?? '')
    if (submission === undefined) throw new Error(`no submission for label ${label}`)
    return { label, ...submission }
  })
}

function mountsOf({ contest }: Scene, { texts }: LaidOut, seen: readonly Seen[], outbox: string): MountWish[] {
  const mounts: MountWish[] = [...texts]
  for (const { label, directory } of seen)
    mounts.push({ source: directory, target: `/contest/submissions/${label}`, access: 'ro', reason: 'contest' })
  if (contest.raw !== null) mounts.push({ source: contest.raw, target: '/contest/raw', access: 'ro', reason: 'contest' })
  mounts.push({ source: outbox, target: '/contest/outbox', access: 'rw', reason: 'contest' })
  return mounts
}

type Spent = Pick<JudgeStatus, 'usage' | 'costUsd'> & { durationMs: number }

function sum(before: Spent, run: AgentRun): Spent {
  const { usage, costUsd } = run.summary
  return {
    durationMs: before.durationMs + run.durationMs,
    costUsd: costUsd === null ? before.costUsd : (before.costUsd ?? 0) + costUsd,
    usage:
      usage === null || before.usage === null
        ? (usage ?? before.usage)
        : {
            input: before.usage.input + usage.input,
            output: before.usage.output + usage.output,
            cachedInput: before.usage.cachedInput + usage.cachedInput,
            model: usage.model,
          },
  }
}
