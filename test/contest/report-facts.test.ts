import { expect, test } from 'vitest'
import { leaderboardLines } from '../../src/cli/contest/contest-lines.ts'
import type { Findings } from '../../src/contest/ranking/findings.ts'
import { leaderboard } from '../../src/contest/report/contest-leaderboard.ts'
import { summarise } from '../../src/contest/report/summarise.ts'
import { findings } from '../support/contest-findings.ts'
import { reportText } from '../support/report-text.ts'

const now = new Date(0)
const scores = { j: { one: 4, two: 3, three: 1 }, k: { one: 3, two: 3, three: 1 } }

/** Returns the findings with one participant or judge that ended in another way. */
function withEnd(all: Findings, who: 'participants' | 'judges', name: string, change: object): Findings {
  const { participants } = all.status
  if (who === 'participants') {
    const at = { ...participants[name], ...change } as never
    return { ...all, status: { ...all.status, participants: { ...participants, [name]: at } } }
  }
  const tasks = all.judging.tasks.map((each) => (each.judge === name ? { ...each, ...change } : each))
  return { ...all, judging: { ...all.judging, tasks } }
}

const limited = {
  state: 'ended',
  outcome: { kind: 'rate-limited', exitCode: 1, message: 'no more today', hint: 'run again later with --retry', resetsAt: null },
}

test('6: a review of a judge is in the page, escaped, with the names behind its labels', () => {
  const all = findings(scores)
  const mine = '# Mine\nB is better than A. <script>alert(1)</script>\u202e'
  const answers = all.answers.map((each) => ({ ...each, review: each.judge === 'j' ? mine : null }))
  const page = reportText(summarise({ ...all, answers }, now))
  expect(page).toContain('<summary>Review by j</summary>')
  expect(page).toContain('# Mine\nB [two] is better than A [one]. &lt;script&gt;alert(1)&lt;/script&gt;[U+202E]')
  expect(page).not.toContain('Review by k')
})

test('6: the hint of a participant that could not run is in the terminal and in both reports', () => {
  const summary = summarise(withEnd(findings(scores), 'participants', 'three', limited), now)
  const lines = leaderboardLines(summary, 'dir')
  expect(lines.slice(lines.indexOf('not ranked'), lines.indexOf('not ranked') + 3)).toEqual([
    'not ranked',
    '  three: rate limited: no more today',
    '    run again later with --retry',
  ])
  for (const text of [reportText(summary), leaderboard(summary)]) expect(text).toContain('run again later with --retry')
})

test('6: the terminal and both reports say how many judges count, and what a failed one needs', () => {
  const all = findings(scores)
  const failed = withEnd({ ...all, answers: all.answers.slice(1) }, 'judges', 'j', { ...limited, state: 'failed' })
  const summary = summarise(failed, now)
  expect(leaderboardLines(summary, 'dir')).toEqual(
    expect.arrayContaining(['1 of 2 judges count; 1 gave no scores.', 'judge j failed: no more today', '  run again later with --retry']),
  )
  for (const text of [reportText(summary), leaderboard(summary)]) {
    expect(text).toContain('1 of 2 judges count; 1 gave no scores.')
    expect(text).toContain('run again later with --retry')
  }
})

test('6: how often a participant was run is reported if it was more than once', () => {
  const summary = summarise(withEnd(findings(scores), 'participants', 'one', { attempt: 3 }), now)
  expect(summary.ranking.map((each) => [each.name, each.attempts])).toEqual([
    ['one', 3],
    ['two', 1],
    ['three', 1],
  ])
  for (const text of [reportText(summary), leaderboard(summary)]) expect(text.match(/\(attempt 3\)/g)).toHaveLength(1)
})

test('6: many participants on the first rank are counted, not listed', () => {
  const tied = (...names: string[]) =>
    summarise(findings({ j: Object.fromEntries(names.map((name) => [name, 3])) }, 'fine', { min: 1, max: 5 }, names), now).notes
  expect(tied('a', 'b', 'c')).toContain('a, b and c share the first rank.')
  expect(tied('a', 'b', 'c', 'd')).toContain('4 participants share the first rank.')
})

test('6: a dimension added to the rubric after a judge scored does not count', () => {
  const all = findings({ j: { one: 5, two: 3, three: 1 } })
  const { rubric } = all.config
  const later = { ...all, config: { ...all.config, rubric: { scale: { min: 1, max: 5 }, dimensions: [...(rubric?.dimensions ?? [])] } } }
  later.config.rubric.dimensions.push({ id: 'speed', weight: 9, description: 'How fast it is.' })
  const summary = summarise(later, now)
  expect(summary.ranking.map((each) => each.score)).toEqual([100, 50, 0])
  for (const text of [reportText(summary), leaderboard(summary)]) expect(text).not.toContain('NaN')
})

test('9: terminal, page and leaderboard show the same range, cost and tokens, with cached tokens counted once', () => {
  const usage = { input: 20_400, output: 300, cachedInput: 15_000, model: null }
  const all = findings({ j: { one: 4, two: 3, three: 1 }, k: { one: 2, two: 3, three: 1 } })
  const summary = summarise(withEnd(all, 'participants', 'one', { usage, costUsd: 0.0512 }), now)
  expect(summary.ranking.map((each) => each.name)).toEqual(['one', 'two', 'three'])
  const shown = ['25.0–75.0', '20k in, 300 out', '$0.0512']
  const row = leaderboardLines(summary, 'dir').find((each) => each.includes(' one ')) ?? ''
  for (const each of shown) for (const text of [row, reportText(summary), leaderboard(summary)]) expect(text).toContain(each)
})

test('6: the terminal says how a ranked participant ended if its run failed, and each report says it once', () => {
  const failed = { kind: 'delivered', exitCode: 3, message: 'it ended with exit code 3: I failed', hint: null, resetsAt: null }
  const well = { outcome: { ...failed, exitCode: 0, message: null } }
  const all = withEnd(withEnd(findings(scores), 'participants', 'two', well), 'participants', 'one', { outcome: failed })
  const summary = summarise(all, now)
  const ended = 'delivered, but it ended with exit code 3: I failed'
  const lines = leaderboardLines(summary, 'dir')
  expect(lines).toContain(`one ${ended}`)
  expect(lines.filter((each) => each.startsWith('two '))).toEqual([])
  for (const text of [reportText(summary), leaderboard(summary)]) expect(text.split(ended)).toHaveLength(2)
})

test('6: a report without any scores names the command that asks failed judges again', () => {
  const noScores = (...judges: string[]): Findings =>
    judges.reduce((all, name) => withEnd(all, 'judges', name, { ...limited, state: 'failed' }), {
      ...findings(Object.fromEntries(judges.map((name) => [name, {}]))),
      answers: [],
    } as Findings)
  expect(leaderboardLines(summarise(noScores('j', 'k'), now), 'dir')).toContain(
    'None of 2 judges gave scores. To ask them again: paddock contest run --retry dir',
  )
  expect(summarise(noScores('j'), now).notes).toContain('The judge gave no scores. To ask it again: paddock contest run --retry')
  expect(summarise({ ...noScores('j'), judging: { number: 0, tasks: [], unfinished: null } }, now).notes).toContain(
    'The judge gave no scores.',
  )
})

test('6: the command that asks a failed judge again is shown with the directory, also if others gave scores', () => {
  const one = summarise(withEnd(findings({ j: { one: 3 }, k: {} }), 'judges', 'k', { ...limited, state: 'failed' }), now)
  expect(leaderboardLines(one, "'a dir'").at(-2)).toBe("To see what k did: paddock contest tail --no-follow 'a dir' k")
  expect(leaderboardLines(one, "'a dir'").at(-1)).toBe(
    "k failed and is not asked again automatically. To ask again: paddock contest run --retry 'a dir'",
  )
  const both = summarise(withEnd(findings({ j: { one: 3 }, k: { one: 3 } }), 'participants', 'one', { ...limited, state: 'ended' }), now)
  const lines = leaderboardLines(both, 'dir').filter((each) => each.includes('paddock contest'))
  expect(lines.filter((each) => !/ dir(?: one)?$/.test(each))).toEqual([])
})

test('6: judges who agree are reported as agreeing', () => {
  const notes = (two: number) => summarise(findings({ first: { one: 3 }, second: { one: two } }), new Date(0)).notes
  expect(notes(3)).toContain('The judges gave each submission the same score.')
  expect(notes(5)).toContain('The judges are at most 50.0 points of 100 apart on one submission.')
})

test('a participant that was interrupted is reported as such, and contest run continues it', () => {
  const open = { state: 'running', attempt: 1, outcome: null, durationMs: null }
  const summary = summarise(withEnd(findings(scores), 'participants', 'three', open), now)
  expect(summary.notes).toContain('One participant has not ended. To continue: paddock contest run')
  for (const text of [leaderboardLines(summary, 'dir').join('\n'), reportText(summary), leaderboard(summary)]) {
    expect(text).toContain('was interrupted or is still at work (attempt 1)')
    expect(text).not.toMatch(/never run|--retry/)
  }
  const failed = summarise(withEnd(withEnd(findings(scores), 'participants', 'three', open), 'participants', 'two', limited), now)
  expect(failed.notes).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^One participant did not finish, .*--retry$/),
      'One participant has not ended. To continue: paddock contest run',
    ]),
  )
})
