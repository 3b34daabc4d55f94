import { describe, expect, test } from 'vitest'
import { gateOf } from '../../../../src/contest/suite/compare/compare-gates.ts'
import type { Attempt, ComparedRun } from '../../../../src/contest/suite/compare/compared-run.ts'
import { comparisonCsv, comparisonJunit, comparisonMarkdown } from '../../../../src/contest/suite/compare/comparison-files.ts'
import { comparisonPage } from '../../../../src/contest/suite/compare/comparison-page.ts'
import { type Comparison, comparisonSchema } from '../../../../src/contest/suite/compare/comparison-schema.ts'
import { type AttemptPair, type Judged, needsJudges, pairsOf } from '../../../../src/contest/suite/compare/side-by-side.ts'
import { type Compared, summariseComparison } from '../../../../src/contest/suite/compare/summarise-comparison.ts'

const now = new Date('2026-11-29T12:00:00Z')

function attempt(brief: string, repeat: number, change: Partial<Attempt> = {}): Attempt {
  const work = { directory: '', round: 1, tree: `${brief} ${repeat} ${Math.random()}` }
  const used = { costUsd: null, durationMs: null, version: null, model: null }
  return { brief, repeat, participant: 'a', state: 'delivered', outcome: 'delivered', checks: null, score: null, ...used, work, ...change }
}
const lost = { state: 'lost', outcome: 'incomplete', work: null, score: 0 } as const
const failed = { state: 'failed', outcome: 'rate-limited', work: null } as const

function runOf(label: string, attempts: readonly Attempt[], participants: readonly string[] = ['a'], judges = ['one', 'two']): ComparedRun {
  const role = (name: string) => ({ name, agent: 'command' })
  const contest = { participants: participants.map(role), judges: judges.map(role), ranking: { by: 'judges' } }
  return {
    label,
    suite: { config: { name: 'trial', contest }, briefs: [] } as unknown as ComparedRun['suite'],
    at: null,
    attempts,
    briefs: new Map(),
  }
}

/** Points of each judge for the base and the new work of a pair. */
type Points = Readonly<Record<string, readonly [base: number | null, now: number | null]>>

function compared(
  base: ComparedRun,
  fresh: ComparedRun,
  pointsOf: (pair: AttemptPair) => Points,
  change: Partial<Compared> = {},
): Comparison {
  const briefs = [...new Set(base.attempts.map(({ brief }) => brief))]
  const names = base.suite.config.contest.participants.map(({ name }) => name)
  const participants = names.map((name) => ({ base: name, new: name }))
  const pairs = briefs.flatMap((brief) =>
    participants.flatMap((each) => {
      const own = (run: ComparedRun): Attempt[] => run.attempts.filter((one) => one.brief === brief && one.participant === each.new)
      return pairsOf(brief, each, { base: own(base), new: own(fresh) }, 'delivered')
    }),
  )
  const seen = pairs.map((pair) => {
    const judged = Object.entries(pointsOf(pair)).map(([judge, [before, after]]): Judged => {
      const points = { ...(before === null ? {} : { base: before }), ...(after === null ? {} : { new: after }) }
      return { judge, points, reasons: {} }
    })
    return { pair, found: needsJudges(pair) ? { judged, evidence: new Map(), costUsd: 0.5 } : null, contest: null }
  })
  const of = {
    base,
    new: fresh,
    runs: [base, fresh],
    participants,
    briefs,
    leftOut: [],
    seen,
    isSideBySide: true,
    gates: [],
    surely: false,
    notes: [],
  }
  return summariseComparison({ ...of, ...change }, now)
}

const scoreOf = ({ participants }: Comparison, place = 0) => participants[place]?.measures.find(({ name }) => name === 'score')
const five = ['v', 'w', 'x', 'y', 'z']
const once = (change: Partial<Attempt> = {}): Attempt[] => five.map((brief) => attempt(brief, 1, change))

describe('pairs of attempts', () => {
  const names = { base: 'a', new: 'a' }
  const numbers = (base: readonly Attempt[], fresh: readonly Attempt[]) =>
    pairsOf('x', names, { base, new: fresh }, 'delivered').map(({ attempts }) => [attempts.base.repeat, attempts.new.repeat])

  test('are in the order of the repeats, and each attempt of the longer run has one', () => {
    expect(numbers([attempt('x', 1), attempt('x', 2)], [attempt('x', 1), attempt('x', 2)])).toEqual([[1, 1], [2, 2]]) // biome-ignore format: pairs
    expect(numbers([attempt('x', 1)], [attempt('x', 1), attempt('x', 2), attempt('x', 3)])).toEqual([[1, 1], [1, 2], [1, 3]]) // biome-ignore format: pairs
  })

  test('leave out attempts that failed for other reasons, and nothing remains of a run that has only those', () => {
    expect(numbers([attempt('x', 1, failed), attempt('x', 2)], [attempt('x', 1)])).toEqual([[2, 1]])
    expect(numbers([attempt('x', 1, failed)], [attempt('x', 1)])).toEqual([])
  })

  test('leave out attempts that delivered nothing if only strength counts', () => {
    const attempts = { base: [attempt('x', 1), attempt('x', 2)], new: [attempt('x', 1, lost), attempt('x', 2)] }
    const kept = (what: 'delivered' | 'strength') => pairsOf('x', names, attempts, what).map(({ attempts: { new: own } }) => own.state)
    expect([kept('delivered'), kept('strength')]).toEqual([['lost', 'delivered'], ['delivered', 'delivered']]) // biome-ignore format: pairs
  })

  test('need judges unless the works are the same or missing', () => {
    const work = { directory: 'd', round: 1, tree: 't' }
    const needs = (base: Partial<Attempt>, fresh: Partial<Attempt>): boolean =>
      pairsOf('x', names, { base: [attempt('x', 1, base)], new: [attempt('x', 1, fresh)] }, 'delivered').some(needsJudges)
    expect([needs({}, {}), needs({ work }, { work }), needs(lost, {}), needs({}, lost), needs(lost, lost)]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ])
  })
})

test('repeats are averaged in their brief before briefs are compared', () => {
  const twice = (): Attempt[] => five.flatMap((brief) => [attempt(brief, 1), attempt(brief, 2)])
  // The second pair of each brief has no difference.
  const points = ({ number }: AttemptPair): Points => ({ one: number === 1 ? [80, 60] : [70, 70] })
  const found = compared(runOf('old', twice()), runOf('new', twice()), points)
  expect(scoreOf(found)).toMatchObject({ briefs: 5, base: 75, new: 65, difference: -10, verdict: 'worse' })
  expect(found.spentUsd).toBe(5)
})

test('only judges that saw both works count, unless there is only one work', () => {
  const points = (): Points => ({ one: [80, 60], two: [0, null] })
  expect(scoreOf(compared(runOf('old', once()), runOf('new', once()), points))).toMatchObject({ base: 80, new: 60 })
  const gone = compared(runOf('old', once()), runOf('new', once(lost)), () => ({ one: [80, null], two: [60, null] }))
  expect(scoreOf(gone)).toMatchObject({ base: 70, new: 0, difference: -70 })
  expect(gone.briefs[0]?.new.outcomes).toEqual(['incomplete'])
})

test('over a fifth of pairs that nobody judged ends the comparison, and the gate does not test another measure instead', () => {
  const points = ({ brief }: AttemptPair): Points => (brief === 'v' || brief === 'w' ? {} : { one: [50, 10] })
  const some = compared(runOf('old', once()), runOf('new', once()), points, { gates: [gateOf('worse by 3')] })
  expect(some.sentences).toEqual(['a is not compared: 2 of 5 pairs of its works were not judged.'])
  expect(some).toMatchObject({ isFailed: true, decides: 'score' })
  const none = compared(runOf('old', once()), runOf('new', once()), () => ({}), { gates: [gateOf('worse by 3')] })
  expect(none).toMatchObject({ isFailed: true, decides: 'score' })
  expect(none.gates.map(({ measure, state }) => [measure, state])).toEqual([['infrastructure', 'failed'], ['score', 'untested']]) // biome-ignore format: pairs
})

test('a brief whose pairs nobody judged does not count', () => {
  const found = compared(runOf('old', once()), runOf('new', once()), ({ brief }) => (brief === 'v' ? {} : { one: [50, 50] }))
  expect(scoreOf(found)).toMatchObject({ briefs: 4, difference: 0 })
  expect(found.briefs.at(-1)).toMatchObject({ brief: 'v', difference: null })
})

test('attempts that failed for other reasons are left out, and over a fifth of them ends the comparison of the participant', () => {
  const oneFailed = once().map((each, place) => (place === 0 ? { ...each, ...failed } : each))
  const points = (): Points => ({ one: [80, 20] })
  const allowed = compared(runOf('old', once()), runOf('new', oneFailed), points, { gates: [gateOf('worse by 3')] })
  expect(allowed).toMatchObject({ isFailed: true, participants: [{ isComparable: true, new: { attempts: 5, failed: 1 } }] })
  expect(scoreOf(allowed)).toMatchObject({ briefs: 4, verdict: 'worse' })
  const twoFailed = oneFailed.map((each, place) => (place === 1 ? { ...each, ...failed } : each))
  const refused = compared(runOf('old', once()), runOf('new', twoFailed), points, { gates: [gateOf('worse by 3')] })
  expect(refused.gates.map(({ measure, state }) => [measure, state])).toEqual([['infrastructure', 'failed'], ['score', 'untested']]) // biome-ignore format: pairs
  expect(scoreOf(refused)?.verdict).toBe('too-few')
  // Without a gate, it is only reported.
  expect(compared(runOf('old', once()), runOf('new', twoFailed), points).isFailed).toBe(false)
})

test('cost and time are ratios, of which more is worse', () => {
  const used = (costUsd: number, durationMs: number): Attempt[] =>
    five.map((brief, place) => attempt(brief, 1, { costUsd: costUsd * (1 + place / 50), durationMs }))
  const gates = [gateOf('cost worse by 20%'), gateOf('time worse by 20%')]
  const found = compared(runOf('old', used(1, 1000)), runOf('new', used(1.5, 500)), () => ({ one: [50, 50] }), { gates })
  const [cost, time] = ['cost', 'time'].map((name) => found.participants[0]?.measures.find((each) => each.name === name))
  expect(cost?.difference).toBeCloseTo(1.5, 10)
  expect(cost).toMatchObject({ base: 1.04, verdict: 'worse' })
  expect(time).toMatchObject({ base: 1000, new: 500, difference: 0.5, verdict: 'better' })
  expect(found.gates.map(({ measure, state }) => [measure, state])).toEqual([['cost', 'failed'], ['infrastructure', 'passed'], ['time', 'passed']]) // biome-ignore format: pairs
  expect(found.sentences[0]).toBe(
    'No difference of a can be seen with 5 briefs: 0.0 points (0.0 to 0.0). Cost: +50% (+50% to +50%). Time: −50% (−50% to −50%).',
  )
})

test('a difference that would be shown as none is none, however certain', () => {
  const used = (costUsd: number): Attempt[] => five.map((brief) => attempt(brief, 1, { costUsd }))
  const found = compared(runOf('old', used(1)), runOf('new', used(1.001)), () => ({ one: [50, 50.01] }), { gates: [gateOf('worse by 3')] })
  expect(found.participants[0]?.measures.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['score', 'not-seen'],
    ['delivered', 'not-seen'],
    ['cost', 'not-seen'],
  ])
})

test('a change of all times is probably one of the machine, and no difference is over 100 points', () => {
  const names = ['a', 'b']
  const all = (ms: number): Attempt[] =>
    names.flatMap((participant) => five.map((brief, place) => attempt(brief, 1, { participant, durationMs: ms * (1 + place / 9) })))
  const wide = [-100, -100, 0, -100, 0]
  const points = ({ brief }: AttemptPair): Points => ({ one: [100, 100 + (wide[five.indexOf(brief)] ?? 0)] })
  const found = compared(runOf('old', all(1000), names), runOf('new', all(400), names), points)
  expect(found.notes).toEqual(['All participants became faster, so the machine or its load probably changed.'])
  expect(scoreOf(found)).toMatchObject({ difference: -60, interval: { low: -100 } })
  const mixed = all(400).map((each) => (each.participant === 'a' ? { ...each, durationMs: 1000 } : each))
  expect(compared(runOf('old', all(1000), names), runOf('new', mixed, names), points).notes).toEqual([])
})

const noisy = [-22, -18, -25, -15, -20]

/** A comparison of a regression, of noise and of two briefs, with texts that could break a report. */
function threeParticipants(): Comparison {
  const names = ['fine', 'worse', 'few']
  const all = (): Attempt[] =>
    names.flatMap((participant) => five.slice(0, participant === 'few' ? 2 : 5).map((brief) => attempt(brief, 1, { participant })))
  const points = ({ brief, participants }: AttemptPair): Points => {
    const place = five.indexOf(brief)
    return {
      one: [50, 50 + (participants.new === 'fine' ? (noisy[place] ?? 0) + 20 : participants.new === 'worse' ? (noisy[place] ?? 0) : 1)],
    }
  }
  const found = compared(runOf('old | run', all(), names), runOf('new', all(), names), points, { gates: [gateOf('worse by 3')] })
  const [first, ...rest] = found.briefs
  const hostile = '</script><img src=x onerror=alert(1)> "quoted", | a table\n=1+1 \u0000\u0007 ]]> 😀'
  return {
    ...found,
    suite: 'trial',
    briefs: first === undefined ? [] : [{ ...first, reasons: [{ judge: 'one', base: hostile, new: hostile }] }, ...rest],
    notes: [hostile],
  }
}

test('regressions come first, and each sentence says what can be seen', () => {
  const found = threeParticipants()
  expect(comparisonSchema.parse(found)).toEqual(found)
  expect(found.participants.map(({ new: { name } }) => name)).toEqual(['worse', 'few', 'fine'])
  expect(found.sentences).toEqual([
    'worse is worse by 20.0 points with 5 briefs (95% interval −24.7 to −15.3).',
    'Nothing can be said about few with 2 briefs: +1.0 points.',
    'No difference of fine can be seen with 5 briefs: 0.0 points (−4.7 to +4.7). A loss of 6.3 points would be found in 80 of 100 such comparisons.',
  ])
  expect(found.briefs.slice(0, 2).map(({ brief, participant, difference }) => [brief, participant, difference])).toEqual([['x', 'worse', -25], ['v', 'worse', -22]]) // biome-ignore format: pairs
  expect(found.gates.map(({ participant, measure, state }) => `${participant} ${measure} ${state}`)).toEqual([
    'worse score failed',
    'few score untested',
    'fine infrastructure passed',
    'worse infrastructure passed',
    'few infrastructure passed',
    'fine score passed',
  ])
})

test('the reports have all of it, whatever the texts contain', () => {
  const found = threeParticipants()
  const [page] = comparisonPage(found, (contest) => contest).split('<script>')
  expect(page).toContain('</main>')
  expect(page).toContain('&lt;/script&gt;&lt;img src=x')
  expect(page).not.toContain('<img')
  const markdown = comparisonMarkdown(found)
  expect(markdown).toContain('FAILED: worse, fails if worse by 3: −20.0 points (−24.7 to −15.3)')
  expect(markdown).toContain('NOT TESTED: few, fails if worse by 3 (2 of at least 3 briefs can be compared)')
  // The brief in which nothing changed, and those that the third one has only once.
  expect(markdown).toContain('1 result of a participant in a brief did not change.')
  expect(markdown).not.toMatch(/(?<!\\)<img/)
  expect(markdown.split('\n').filter((line) => line.startsWith('| worse |')).length).toBe(2)
  const lines = comparisonCsv(found).trim().split('\r\n')
  expect(lines).toHaveLength(1 + found.participants.flatMap(({ measures }) => measures).length)
  expect(lines[1]).toMatch(/^worse,score,side-by-side,5,50,30,-20,-24\.\d+,-15\.\d+,[\d.e-]+,worse,[\d.]+$/)
})

test('gates are test cases of JUnit: a failure, an error for what cannot be tested, and no character that XML forbids', () => {
  const junit = comparisonJunit({ ...threeParticipants(), suite: 'tri"al\u0000 <&>' })
  expect(junit).toContain('<testsuites tests="6" failures="1" errors="1" skipped="0" time="0">')
  expect(junit.match(/<testcase /g)).toHaveLength(6)
  expect(junit).toMatch(/<failure type="Regression" message="worse is worse by 20\.0 points/)
  expect(junit).toMatch(/<error type="NotTested" message="2 of at least 3 briefs can be compared"/)
  expect(junit).toContain('classname="tri&quot;al\uFFFD &lt;&amp;&gt;.worse"')
  expect(junit).not.toContain('\u0000')
})
