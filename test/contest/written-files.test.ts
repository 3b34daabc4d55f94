import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scoresAnswerSchema, scoresFileSchema, verdictAnswerSchema, verdictFileSchema } from '../../src/contest/judging/answer-files.ts'
import { parseScores } from '../../src/contest/judging/scores.ts'
import { taskFileSchema } from '../../src/contest/judging/task-file.ts'
import { parseVerdict } from '../../src/contest/judging/verdicts.ts'
import { summarySchema } from '../../src/contest/ranking/contest-summary.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { statusSchema } from '../../src/contest/state/contest-state.ts'
import { eventSchema } from '../../src/contest/state/event-line.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'

/** Answers either kind of task, and submits its TASK.json as its review. */
const judge = `cd /contest
cp TASK.json outbox/review.md
set -- submissions/*
case $(cat TASK.json) in
  *pairwise*) echo '{"better":"tie","why":"Both are fine.","citations":[{"label":"A","dimension":"quality","file":"answer.txt","lines":[1,1]}]}' > outbox/verdict.json;;
  *) s=; for l in submissions/*; do s="$s\${s:+,}\\"\${l#submissions/}\\":{\\"quality\\":4}"; done
     printf '{"scores":{%s},"comment":"Even.","reviews":{"A":"Short."}}' "$s" > outbox/scores.json;;
esac`

const rules = { labels: ['A', 'B'], dimensions: ['quality'], scale: { min: 1, max: 5 } }

test('every file that a contest writes is what its published schema says', async () => {
  await using bench = await openBench()
  const checks = [{ name: 'there', command: 'test -f /submission/answer.txt' }]
  await writeContest(
    bench,
    { one: 'echo 1 > answer.txt', two: 'echo 2 > answer.txt; ln -s /etc/passwd link', ends: 'exit 3' },
    { even: judge, broken: 'echo [] > /contest/outbox/scores.json' },
    { checks, judging: { mode: 'both', controls: true } },
  )
  await runContest(bench.contest, bench.deps)

  const read = (file: string): Promise<string> => readFile(path.join(bench.contest, file), 'utf8')
  const lines = (await read('events.jsonl')).trimEnd().split('\n')
  const events = lines.map((line) => eventSchema.parse(JSON.parse(line)))
  for (const type of ['step', 'started', 'ended', 'sealed', 'checked', 'repair', 'scored', 'judge-failed', 'reported'])
    expect(events.map((each) => each.type)).toContain(type)
  expect(statusSchema.parse(JSON.parse(await read('status.json')))).toEqual(JSON.parse(await read('status.json')))
  expect(summarySchema.parse(JSON.parse(await read('report/summary.json')))).toEqual(JSON.parse(await read('report/summary.json')))

  const modes = new Set<string>()
  for (const task of await readdir(path.join(bench.contest, 'judging/1/even/tasks'))) {
    const at = `judging/1/even/tasks/${task}`
    const { mode, order, scale } = taskFileSchema.parse(JSON.parse(await read(`${at}/review.md`)))
    modes.add(mode)
    expect(order.length).toBeGreaterThan(1)
    expect(scale).toEqual({ min: 1, max: 5 })
    if (mode === 'pairwise') expect(verdictFileSchema.parse(JSON.parse(await read(`${at}/verdict.json`))).better).toBe('tie')
    else
      expect(Object.keys(scoresFileSchema.parse(JSON.parse(await read(`${at}/scores.json`))).scores).toSorted()).toEqual(order.toSorted())
  }
  expect(modes).toEqual(new Set(['rubric', 'pairwise']))
})

const citation = fc.record(
  {
    label: fc.constantFrom('A', 'B'),
    dimension: fc.constant('quality'),
    file: fc.string({ maxLength: 20 }),
    lines: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 20 })),
  },
  { requiredKeys: ['label', 'dimension', 'file', 'lines'] },
)
const of = { quality: fc.integer({ min: 1, max: 5 }) }
const scores = fc.record({ A: fc.record(of), B: fc.record(of) })
const more = { comment: fc.string(), citations: fc.array(citation, { maxLength: 3 }) }
/** A key that no answer has, or null. */
const surplus = fc.option(fc.constantFrom('verdict', 'notes'), { nil: null })

test('an answer that a judge may give satisfies its schema, and one with another key satisfies neither', () => {
  const answer = fc.record({ scores, reviews: fc.record({ A: fc.string() }), ...more }, { requiredKeys: ['scores'] })
  fc.assert(
    fc.property(answer, surplus, (good, key) => {
      const given = key === null ? good : { ...good, [key]: 1 }
      expect(parseScores(Buffer.from(JSON.stringify(given)), rules).ok).toBe(key === null)
      expect(scoresAnswerSchema.safeParse(given).success).toBe(key === null)
    }),
  )
  const verdict = fc.record(
    { better: fc.constantFrom('A', 'B', 'tie'), why: fc.string(), citations: more.citations },
    { requiredKeys: ['better'] },
  )
  fc.assert(
    fc.property(verdict, surplus, (good, key) => {
      const given = key === null ? good : { ...good, [key]: 1 }
      expect(parseVerdict(Buffer.from(JSON.stringify(given)), rules).ok).toBe(key === null)
      expect(verdictAnswerSchema.safeParse(given).success).toBe(key === null)
    }),
  )
})
