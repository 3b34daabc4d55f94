import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Layout } from '../../src/contest/config/contest-layout.ts'
import { repeatedScores } from '../../src/contest/judging/repeated-scores.ts'
import type { Summary } from '../../src/contest/ranking/contest-summary.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { type Bench, openBench, writeContest } from '../support/contest-bench.ts'

/** A CLI that ends with a message, like claude. `$file` is written into scores.json, and `$said` into the message. */
const fakeClaude = `#!/bin/sh
prompt=$(cat)
answer() { s=; for l in $(ls /contest/submissions); do s="$s\${s:+,}\\"$l\\":{\\"quality\\":$1}"; done; printf '{"scores":{%s}}' "$s"; }
. /agent/judge.sh
printf '{"type":"result","subtype":"success","is_error":false,"result":"%s"}\\n' "$(printf %s "$said" | sed 's/"/\\\\"/g')"
`

/** Runs a contest of one submission, judged by that CLI with this script. */
async function judgedBy(script: string): Promise<{ summary: Summary; asked: number; bench: Bench }> {
  const bench = await openBench()
  const program = path.join(bench.root, 'claude')
  writeFileSync(program, fakeClaude)
  chmodSync(program, 0o755)
  const judge = { name: 'judge', agent: 'claude', credentials: 'none', egress: { policy: 'off' }, files: 'script' }
  await writeContest(bench, { one: 'echo 1 > a' }, {}, { judges: [judge] })
  await bench.write('script/judge.sh', script)
  const mounts = [{ source: program, target: '/tool/claude', access: 'ro' as const }]
  const claude = { program: '/tool/claude', mounts, pathEntries: [], version: null }
  const deps = {
    ...bench.deps,
    installation: async (each: { name: string }) => (each.name === 'claude' ? claude : { ...claude, mounts: [] }),
  }
  const { summary } = await runContest(bench.contest, deps)
  const asked = bench.events.filter((each) => each.type === 'started' && each.role === 'judge').length
  return { summary, asked, bench }
}

test('A2: scores that differ from the last message of their judge are refused, and the report says so', async () => {
  const { summary, asked, bench } = await judgedBy(`answer 5 > scores.json; said="Here: $(answer 1)"`)
  await using _ = bench
  expect([asked, summary.rankedBy, summary.ranking[0]?.score]).toEqual([1, 'nothing', null])
  expect(summary.judges[0]).toMatchObject({
    state: 'failed',
    why: 'its last message and its scores.json differ, so one of them may not be its own: A.quality is 5 in the file and 1 in the message',
  })
  const note = 'The scores of judge were refused: its last message and its file differ'
  expect(summary.notes.join('\n')).toContain(note)
  for (const file of ['leaderboard.md', 'report.html'])
    expect(readFileSync(path.join(bench.contest, 'report', file), 'utf8')).toContain(note)
  expect(existsSync(new Layout(bench.contest).task(1, 'judge', '1').scores)).toBe(false)
})

test('scores that the last message repeats are taken, whatever is around them', async () => {
  const { summary, asked, bench } = await judgedBy(`answer 5 > scores.json; said="All of it (see {x}): $(answer 5). Done."`)
  await using _ = bench
  expect([asked, summary.ranking[0]?.score]).toEqual([1, 100])
  expect(readFileSync(new Layout(bench.contest).task(1, 'judge', '1').attempt(1).transcript, 'utf8')).toContain('Done.')
})

test('a judge that does not repeat its scores is asked once more, and told why', async () => {
  const repeating = `answer 5 > scores.json; said="I wrote them."; case "$prompt" in *"does not repeat the scores"*) said=$(answer 5) ;; esac`
  const { summary, asked, bench } = await judgedBy(repeating)
  await using _ = bench
  expect([asked, summary.ranking[0]?.score]).toEqual([2, 100])
})

test('a judge that never repeats its scores has failed', async () => {
  const { summary, asked, bench } = await judgedBy('answer 5 > scores.json; said="I wrote them."')
  await using _ = bench
  expect([asked, summary.judges[0]?.state]).toEqual([2, 'failed'])
  expect(summary.judges[0]?.why).toMatch(/does not repeat the scores of scores\.json as JSON; it was asked twice$/)
})

test.each([
  ['by themselves', '{"scores":{"A":{"q":1}}}'],
  ['in a fence', 'Scores:\n```json\n{\n  "scores": { "A": { "q": 1 } }\n}\n```\nDone.'],
  ['with a comment first', '{"comment":"a } in {text}","scores":{"A":{"q":1}}}'],
  ['after a draft', '{"scores":{"A":{"q":9}}} or rather {"scores":{"A":{"q":1}}}'],
  ['before something else', '{"scores":{"A":{"q":1}}} {"scores": 3} {"scores": {'],
])('scores are found %s', (_, text) => {
  expect(repeatedScores(text)).toEqual({ A: { q: 1 } })
})

test('text without scores, with a key twice, or with anything else gives no scores, and takes no time', () => {
  for (const text of ['', 'A is 1', '{"scores":1}', '{"scores":{"A":{"q":1,"q":9}}}', '{"scores":{"A"', '{"scores":'.repeat(6000)])
    expect(repeatedScores(text)).toBeNull()
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', 'scores', ':', '1', ' '), maxLength: 60 }), (text) => {
      const found = repeatedScores(text)
      expect(found === null || typeof found === 'object').toBe(true)
    }),
  )
})
