import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { summarySchema } from '../../src/contest/ranking/contest-summary.ts'
import { scoreOf } from '../../src/contest/ranking/score.ts'
import { leaderboard } from '../../src/contest/report/contest-leaderboard.ts'
import { escapeHtml } from '../../src/contest/report/page/markup.ts'
import { reportPage } from '../../src/contest/report/page/report-page.ts'
import { summarise } from '../../src/contest/report/summarise.ts'
import { findings } from '../support/contest-findings.ts'
import { reportText } from '../support/report-text.ts'

const attack = `</title></style></script><script>alert(1)</script><img src=x onerror=alert(2)>" onmouseover='x' [link](https://evil.example) | \u202e`

const now = new Date(0)

test('the mean over judges ranks, equal scores share a rank, and the spread is shown', () => {
  const summary = summarise(findings({ j: { one: 3, two: 5, three: 1 }, k: { one: 3, two: 1, three: 1 } }), now)
  expect(summary.ranking.map((each) => [each.name, each.rank, each.score, each.spread])).toEqual([
    ['one', 1, 50, { min: 50, max: 50 }],
    ['two', 1, 50, { min: 0, max: 100 }],
    ['three', 3, 0, { min: 0, max: 0 }],
  ])
  expect(summary.notes).toContain('one and two share the first rank.')
  expect(summarySchema.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary)
})

test('a scale that starts at 1 starts at 0 points', () => {
  const rubric = {
    scale: { min: 1, max: 5 },
    dimensions: [
      { id: 'a', weight: 3, description: 'x' },
      { id: 'b', weight: 1, description: 'x' },
    ],
  }
  expect(scoreOf({ a: 1, b: 1 }, rubric)).toBe(0)
  expect(scoreOf({ a: 5, b: 5 }, rubric)).toBe(100)
  expect(scoreOf({ a: 5, b: 1 }, rubric)).toBe(75)
})

test('a score is between 0 and 100 and grows with every dimension', () => {
  const weight = fc.double({ min: 0.1, max: 100, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(weight, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: -5, max: 5 }),
      fc.integer({ min: 1, max: 20 }),
      (list, min, width) => {
        const rubric = {
          scale: { min, max: min + width },
          dimensions: list.map(([each], index) => ({ id: `d${index}`, weight: each, description: 'x' })),
        }
        const given = Object.fromEntries(list.map(([, share], index) => [`d${index}`, min + share * width]))
        const score = scoreOf(given, rubric)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(100)
        expect(scoreOf({ ...given, d0: min + width }, rubric)).toBeGreaterThanOrEqual(score)
      },
    ),
  )
})

test('nothing that a participant or a judge is called or says becomes markup', () => {
  const page = reportText(summarise(findings({ j: { one: 5 } }, attack), now))
  expect(page).not.toMatch(/<script|<img|<[a-z]+[^>]*\son\w+=/i)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).not.toContain('\u202e')
  expect(page.match(/<\/title>/g)).toHaveLength(1)
  expect(page.match(/<\/style>/g)).toHaveLength(1)
  const board = leaderboard(summarise(findings({ j: { one: 5 } }, attack), now))
  expect(board).not.toMatch(/(?<!\\)<script|(?<!\\)<img|(?<!\\)\[link|https:\/\//)
})

test('the page needs nothing from anywhere, and its policy lets in its own script only', () => {
  const page = reportPage(summarise(findings({ j: { one: 5 } }), now))
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
  expect(script.length).toBeGreaterThan(1000)
  const markup = page.replace(script, '').replace(/<style>[\s\S]*?<\/style>/, '')
  expect(markup).not.toMatch(/https?:|\ssrc=|url\(|@import|\sstyle=|\shref="(?!#|\.\.\/)/)
  expect(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1]).not.toMatch(/url\(|@import/)
  const policy = `default-src 'none'; script-src 'sha256-${hash('sha256', script, 'base64')}'; style-src 'unsafe-inline'; img-src data:; frame-src 'none'; base-uri 'none'; form-action 'none'`
  expect(page).toContain(`content="${escapeHtml(policy)}"`)
})

test('escaped text has no character that starts or ends markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"'`\u0000-\u0008\u200b-\u200f\u202a-\u202e]/)
    }),
  )
})
