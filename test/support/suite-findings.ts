import type { Posture } from '../../src/base/posture.ts'
import { comparedOf } from '../../src/contest/ranking/compared-pairs.ts'
import type { Pair } from '../../src/contest/ranking/contest-summary.ts'
import type { Findings } from '../../src/contest/ranking/findings.ts'
import { evidenceOn } from '../../src/contest/ranking/judge-cards.ts'
import { deliveredOf, judgesOf, workOf } from '../../src/contest/report/summarise.ts'
import type { CheckResult } from '../../src/contest/state/check-result.ts'
import type { Suite } from '../../src/contest/suite/config/read-suite.ts'
import { suiteSchema } from '../../src/contest/suite/config/suite-schema.ts'
import type { Gathered } from '../../src/contest/suite/report/gather.ts'
import type { SuiteSummary } from '../../src/contest/suite/report/suite-summary.ts'
import { summariseSuite } from '../../src/contest/suite/report/summarise-suite.ts'
import { findings } from './contest-findings.ts'

type Kind = NonNullable<Findings['status']['participants'][string]['outcome']>['kind']

/** One contest of a suite: what each judge gave each participant that delivered, and how the others ended. */
export interface MadeContest {
  readonly scores?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The better one of each pair, for all judges. */
  readonly pairs?: readonly (readonly [better: string, worse: string])[]
  /** The outcomes of participants that did not deliver; null: pending. */
  readonly ended?: Readonly<Record<string, Kind | null>>
  /** Whether each participant passed the check. */
  readonly passed?: Readonly<Record<string, boolean>>
  readonly costUsd?: Readonly<Record<string, number>>
  readonly posture?: Readonly<Record<string, Posture>>
}

export interface MadeSuite {
  readonly names: readonly string[]
  readonly judges?: readonly string[]
  readonly contests: readonly MadeContest[]
  /** The contests of each brief; default 1. */
  readonly repeats?: number
  /** Keys of `contest:` in suite.yaml. */
  readonly contest?: Readonly<Record<string, unknown>>
  /** The tags of each brief. */
  readonly tags?: (brief: number) => readonly string[]
}

/** Returns the summary of a suite that was made from these results, without running anything. */
export function summaryOf({
  names,
  judges = ['j', 'k', 'l'],
  contests,
  repeats = 1,
  contest = {},
  tags = () => [],
}: MadeSuite): SuiteSummary {
  const command = ['x']
  const hasChecks = contests.some(({ passed }) => passed !== undefined)
  const config = suiteSchema.parse({
    schemaVersion: 1,
    name: 'trial',
    briefs: ['briefs/*'],
    repeats,
    contest: {
      participants: names.map((name) => ({ name, agent: 'command', command })),
      judges: judges.map((name) => ({ name, agent: 'command', command })),
      ...(judges.length === 0 ? {} : { rubric: { scale: { min: 0, max: 100 }, dimensions: [{ id: 'quality', description: 'good' }] } }),
      ...(hasChecks ? { checks: [{ name: 'c', run: 'true' }] } : {}),
      ...contest,
    },
  })
  const briefs = Array.from({ length: Math.ceil(contests.length / repeats) }, (_, at) => `b${at}`)
  const gathered = contests.map((each, at) =>
    made(each, names, judges, briefs[Math.floor(at / repeats)] ?? '', 1 + (at % repeats), hasChecks),
  )
  const suite = { config, briefs: briefs.map((name, at) => ({ name, path: name, problem: null, tags: tags(at) })) } as unknown as Pick<
    Suite,
    'config' | 'briefs'
  >
  return summariseSuite(suite, gathered, null, new Date(0))
}

function made(
  { scores = {}, pairs = [], ended = {}, passed = {}, costUsd = {}, posture = {} }: MadeContest,
  names: readonly string[],
  judges: readonly string[],
  brief: string,
  repeat: number,
  hasChecks: boolean,
): Gathered {
  const all = findings(scores, 'fine', { min: 0, max: 100 }, names)
  const participants = Object.fromEntries(
    names.map((name) => {
      const of = all.status.participants[name]
      if (of === undefined) throw new Error(`no ${name}`)
      const outcome = name in ended ? (ended[name] == null ? null : { ...delivered, kind: ended[name] }) : delivered
      return [name, { ...of, outcome, costUsd: costUsd[name] ?? 0.5, ...(posture[name] === undefined ? {} : { posture: posture[name] }) }]
    }),
  )
  const check = (ok: boolean): CheckResult => ({
    name: 'c',
    weight: 1,
    result: ok ? 'passed' : 'failed',
    why: null,
    exitCode: 0,
    durationMs: 1,
    output: '',
  })
  const answers = all.answers.map((answer) => ({
    ...answer,
    scores: {
      ...answer.scores,
      scores: Object.fromEntries(
        Object.entries(answer.scores.scores).filter(([label]) => (answer.labels[label] ?? '') in (scores[answer.judge] ?? {})),
      ),
    },
  }))
  const found: Findings = {
    ...all,
    config: { ...all.config, judges: judges.map((name) => ({ ...all.config.participants[0], name })) as Findings['config']['judges'] },
    status: { ...all.status, participants },
    checks: new Map(Object.entries(passed).map(([name, ok]) => [name, [check(ok)]])),
    answers,
    pairs: judges.flatMap((judge) =>
      pairs.flatMap(([better, worse]): Pair[] =>
        [
          [better, worse],
          [worse, better],
        ].map(([first = '', second = '']) => ({ judge, first, second, better, why: null, labels: {} })),
      ),
    ),
  }
  const { delivered: works, notRanked } = deliveredOf(found)
  const results = { delivered: works, notRanked, judges: judgesOf(found, new Map()) }
  const work = workOf(brief, works, comparedOf(found.pairs), notRanked)
  const evidence = new Map(judges.map((name) => [name, evidenceOn(name, found, work, `${brief}/${repeat}`)]))
  const run = { brief: { name: brief }, repeat, directory: '' } as unknown as Gathered['run']
  return {
    run,
    state: 'complete',
    why: null,
    hasReport: true,
    found: { results, rubric: JSON.stringify(found.config.rubric), hasChecks, round: 1, work, evidence },
  }
}

const delivered = { kind: 'delivered' as const, exitCode: 0, message: null, hint: null, resetsAt: null }
