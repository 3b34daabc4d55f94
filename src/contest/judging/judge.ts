import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { MountWish } from '../../cell/spec.ts'
import { messageOf, redact } from '../../errors.ts'
import { writeAtomic, writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { type Ready, readyContender } from '../contender.ts'
import { pool } from '../pool.ts'
import { type JudgeTask, judgePrompt, repairPrompt } from '../prompts.ts'
import { type AgentRun, runAgent } from '../run-agent.ts'
import { type Scene, tell } from '../scene.ts'
import type { JudgeStatus } from '../status.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { dealLabels, type Mapping, readMapping, shuffled, writeMapping } from './labels.ts'
import { layInbox, type Submission } from './lay-out.ts'
import { maxAnswerBytes, parseScores, type ScoreResult } from './scores.ts'

const defaultWallMs = 15 * 60_000

/** True where a judge still has to be asked: not yet, interrupted, or failed and asked for again. */
export function mustJudge(status: JudgeStatus, retry: boolean): boolean {
  if (status.state === 'pending' || status.state === 'running') return true
  return status.state === 'failed' && (retry || status.outcome?.kind === 'cancelled')
}

/** Finds everything that the judges need. */
export async function readyJudges({ contest, deps }: Scene): Promise<Ready[]> {
  const { judges, timeouts } = contest.config
  const about = { cwd: '/contest/outbox', contestRoot: contest.layout.root, wallMs: timeouts.judge ?? defaultWallMs }
  const ready: Ready[] = []
  for (const [index, each] of judges.entries()) ready.push(await readyContender(each, `judges[${index}]`, about, deps))
  return ready
}

/**
 * Has the judges score the submissions under labels. Goes on with the judging that was under way where it was about the
 * very same submissions; else deals new labels, and every judge is asked anew.
 */
export async function runJudging(scene: Scene, ready: readonly Ready[], submissions: readonly Submission[], anew: boolean): Promise<void> {
  const { journal, retry } = scene
  const mapping = await currentMapping(scene, submissions, anew)
  const open = ready.filter((each) => mustJudge(journal.judge(each.name), retry))
  await tell(scene, { type: 'step', step: 'judges', total: ready.length, open: open.length })
  await pool(open, scene.parallel, scene.deps.signal, (who) => judgeOne(scene, who, mapping, submissions))
}

async function currentMapping({ contest, journal }: Scene, submissions: readonly Submission[], anew: boolean): Promise<Mapping> {
  const { judging, round } = journal.status
  const judges = contest.config.judges.map((each) => each.name)
  const before = anew || judging === 0 ? null : await readMapping(contest.layout.mapping(judging))
  if (before !== null && before.round === round && isAbout(before, submissions)) {
    // A judge that joined later gets an order of its own; those who scored keep what they did.
    const joined = judges.filter((each) => !Object.hasOwn(before.orders, each))
    if (joined.length === 0) return before
    const labels = before.submissions.map((each) => each.label)
    const more = { ...before, orders: { ...before.orders, ...Object.fromEntries(joined.map((each) => [each, shuffled(labels)])) } }
    await writeMapping(contest.layout.mapping(judging), more)
    return more
  }
  const number = await journal.newJudging()
  const mapping = dealLabels(
    { judging: number, round },
    submissions.map((each) => ({ participant: each.participant, tree: each.seal.tree })),
    judges,
  )
  await writeMapping(contest.layout.mapping(number), mapping)
  return mapping
}

function isAbout(mapping: Mapping, submissions: readonly Submission[]): boolean {
  const key = (participant: string, tree: string): string => `${participant} ${tree}`
  const dealt = new Set(mapping.submissions.map((each) => key(each.participant, each.tree)))
  return dealt.size === submissions.length && submissions.every((each) => dealt.has(key(each.participant, each.seal.tree)))
}

async function judgeOne(scene: Scene, who: Ready, mapping: Mapping, submissions: readonly Submission[]): Promise<void> {
  const { contest, journal, deps } = scene
  const { rubric } = contest.config
  if (rubric === undefined) throw new Error('a contest with judges has a rubric')
  const files = contest.layout.judge(mapping.judging, who.name)
  await rm(files.scores, { force: true })
  await rm(files.review, { force: true })
  const renamed = await layInbox(files.inbox, contest, mapping, submissions)
  const order = mapping.orders[who.name] ?? []
  const task: JudgeTask = { rubric, order, renamed, hasJudgeBrief: contest.judgeBrief !== null, hasRaw: contest.raw !== null }
  const rules = { labels: order.toSorted(), dimensions: rubric.dimensions.map((each) => each.id), scale: rubric.scale }

  let problem: string | null = null
  let spent = { durationMs: 0, usage: null as JudgeStatus['usage'], costUsd: null as number | null }
  for (let ask = 1; ask <= 2; ask += 1) {
    if (problem !== null) await tell(scene, { type: 'repair', name: who.name, problem })
    const attempt = journal.judge(who.name).attempt + 1
    await journal.setJudge(who.name, { state: 'running', attempt, outcome: null })
    await tell(scene, { type: 'started', role: 'judge', name: who.name, attempt })
    const outbox = files.outbox(attempt)
    await rm(outbox, { recursive: true, force: true })
    await mkdir(outbox, { recursive: true })
    const run = await runAgent(
      {
        role: 'judge',
        who,
        prompt: problem === null ? judgePrompt(task) : repairPrompt(task, problem),
        cwd: '/contest/outbox',
        mounts: mountsOf(scene, files.inbox, outbox),
        masks: contest.masks,
        files: files.attempt(attempt),
        home: path.join(scene.scratch, 'homes', `judge-${who.name}-${attempt}`),
      },
      deps,
    )
    spent = sum(spent, run)
    await journal.setJudge(who.name, { outcome: run.outcome, ...spent })
    await tell(scene, { type: 'ended', role: 'judge', name: who.name, outcome: run.outcome, durationMs: run.durationMs })
    if (run.outcome.kind !== 'ran') return fail(scene, who, run.outcome.message ?? run.outcome.kind)
    const answer = await readAnswer(outbox, rules)
    if (answer.ok) {
      const review = await readRegular(path.join(outbox, 'review.md'), maxAnswerBytes)
      if (review.ok) await writeAtomic(files.review, redact(review.bytes.toString('utf8')))
      await writeJson(files.record, {
        schemaVersion: 1,
        judge: who.name,
        agent: who.agent,
        model: who.model,
        family: who.family,
        attempt,
        order,
        renamed,
      })
      await writeJson(files.scores, {
        schemaVersion: 1,
        judge: who.name,
        judging: mapping.judging,
        attempt,
        ...withoutSecrets(answer.scores),
      })
      await journal.setJudge(who.name, { state: 'scored' })
      await tell(scene, { type: 'scored', name: who.name })
      return
    }
    problem = run.outcome.message === null ? answer.problem : `${answer.problem} (${run.outcome.message})`
  }
  await fail(scene, who, `its answer could not be used, also after being asked again: ${problem}`)
}

async function fail(scene: Scene, who: Ready, message: string): Promise<void> {
  const { outcome } = scene.journal.judge(who.name)
  await scene.journal.setJudge(who.name, { state: 'failed', ...(outcome === null ? {} : { outcome: { ...outcome, message } }) })
  await tell(scene, { type: 'judge-failed', name: who.name, message })
}

async function readAnswer(outbox: string, rules: Parameters<typeof parseScores>[1]): Promise<ScoreResult> {
  const read = await readRegular(path.join(outbox, 'scores.json'), maxAnswerBytes).catch((error: unknown) => ({
    ok: false as const,
    why: messageOf(error),
  }))
  if (read.ok) return parseScores(read.bytes, rules)
  const problems: Record<string, string> = {
    missing: 'there is no /contest/outbox/scores.json',
    'not-a-file': '/contest/outbox/scores.json is not a regular file',
    'too-large': 'scores.json is larger than 1 MiB',
  }
  return { ok: false, problem: problems[read.why] ?? '/contest/outbox/scores.json cannot be read' }
}

function mountsOf({ contest }: Scene, inbox: string, outbox: string): MountWish[] {
  const shown = ['BRIEF.md', ...(contest.judgeBrief === null ? [] : ['JUDGE_BRIEF.md']), 'RUBRIC.md', 'submissions']
  const mounts: MountWish[] = shown.map((each) => ({
    source: path.join(inbox, each),
    target: `/contest/${each}`,
    access: 'ro',
    reason: 'contest',
  }))
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
