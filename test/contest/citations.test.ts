import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { lookedUp } from '../../src/contest/judging/citations.ts'
import { parseScores } from '../../src/contest/judging/scores.ts'
import { parseVerdict } from '../../src/contest/judging/verdicts.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'
import { reportText } from '../support/report-text.ts'
import { temporary } from '../support/temporary.ts'

const rules = { labels: ['A', 'B'], dimensions: ['quality'], scale: { min: 1, max: 5 } }
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const good = { label: 'A', dimension: 'quality', file: 'a.txt', lines: [3, 9] }

/** Returns the problem with citations, which is the same in both kinds of answer. */
function problem(citations: unknown): string | null {
  const scores = parseScores(bytes({ scores: { A: { quality: 1 }, B: { quality: 1 } }, citations }), rules)
  const verdict = parseVerdict(bytes({ better: 'A', citations }), rules)
  expect(verdict.ok).toBe(scores.ok)
  return scores.ok ? null : scores.problem
}

describe('citations in an answer', () => {
  test('may be left out, or be as many as are needed', () => {
    for (const each of [undefined, [], [good, { ...good, label: 'B', lines: [1, 1] }]]) expect(problem(each)).toBeNull()
  })

  test.each([
    ['x', 'citations must be a list, not text'],
    [Array.from({ length: 501 }, () => good), 'citations has more than 500 entries'],
    [['x'], 'citations[0] must be an object, not text'],
    [[{ ...good, label: 'C' }], 'citations[0].label is "C", which is none of A, B'],
    [[{ ...good, dimension: 'speed' }], 'citations[0].dimension is "speed", which is none of quality'],
    [[{ ...good, file: 7 }], 'citations[0].file must be text, not a number'],
    [[{ ...good, lines: [9, 3] }], 'citations[0].lines must be the first and the last line, such as [3, 9]'],
    [[{ ...good, lines: [0, 1] }], 'citations[0].lines must be the first and the last line, such as [3, 9]'],
    [[{ ...good, lines: [1, 2, 3] }], 'citations[0].lines must be the first and the last line, such as [3, 9]'],
    [[{ ...good, why: 'x' }], 'citations[0] has "why", which is not expected'],
    [[{ label: 'A' }], 'citations[0] is missing dimension, file, lines'],
  ])('%j: %s', (citations, sentence) => expect(problem(citations)).toBe(sentence))
})

test('each is looked up in the submission, and nowhere else', async () => {
  await using on = await temporary()
  await mkdir(on.at('A', 'src'), { recursive: true })
  await writeFile(on.at('A', 'src', 'x.js'), 'one\ntwo\nthree')
  await writeFile(on.at('A', 'empty'), '')
  await writeFile(on.at('secret'), 'a\nb\nc\n')
  await symlink(on.at('secret'), on.at('A', 'link'))
  const found = async (file: string, ...lines: [number, number]): Promise<boolean | undefined> =>
    (await lookedUp([{ label: 'A', dimension: 'quality', file, lines }], (label) => on.at(label)))[0]?.isFound
  expect(await found('src/x.js', 1, 3)).toBe(true)
  expect(await found('A/src/x.js', 3, 3)).toBe(true)
  expect(await found('/contest/submissions/A/src/x.js', 2, 3)).toBe(true)
  expect(await found('src/x.js', 2, 4)).toBe(false)
  for (const file of ['empty', 'missing', '../secret', 'link', 'src', '', 'a\0b', '/etc/passwd', 'x'.repeat(5000)])
    expect([file, await found(file, 1, 1)]).toEqual([file, false])
})

test('the report says which are there, on the card and beside the review', async () => {
  await using bench = await openBench()
  const cite = (file: string, last: number): object => ({ label: 'A', dimension: 'quality', file, lines: [1, last] })
  const answer = { scores: { A: { quality: 3 } }, reviews: { A: 'fine' }, citations: [cite('a.txt', 2), cite('a.txt', 9)] }
  await writeContest(bench, { one: 'printf "1\\n2\\n" > a.txt' }, { j: `echo '${JSON.stringify(answer)}' > /contest/outbox/scores.json` })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.judges[0]?.card?.citations).toEqual({ given: 2, found: 1 })
  const kept = JSON.parse(await readFile(path.join(bench.contest, 'judging/1/j/tasks/1/scores.json'), 'utf8')) as { citations: object[] }
  expect(kept.citations).toMatchObject([{ isFound: true }, { isFound: false }])
  const page = reportText(summary)
  expect(page).toContain('1 of 2 found')
  expect(page).toMatch(/lines 1 to 2<\/li>/)
  expect(page).toMatch(/lines 1 to 9 <span class="is bad">not there/)
})
