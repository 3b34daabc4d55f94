import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { asksHash } from '../../../src/contest/config/asked-rights.ts'
import { parseContest } from '../../../src/contest/config/brief.ts'
import { readSuite } from '../../../src/contest/suite/config/read-suite.ts'
import { suitePlan } from '../../../src/contest/suite/plan-suite.ts'
import type { SuiteDeps } from '../../../src/contest/suite/suite-deps.ts'
import { suiteAsks } from '../../../src/contest/suite/trust-suite.ts'
import { openSuiteBench, type SuiteBench, writeSuite } from '../../support/suite-bench.ts'

const program = '#!/bin/sh\n{ tail -n 1; cat "$HOME"/.claude/skills/*/SKILL.md 2>/dev/null; } > /contest/out/answer.txt\n'

async function stage(change: Partial<SuiteDeps> = {}): Promise<SuiteBench> {
  const bench = await openSuiteBench(change)
  await bench.write('skills/tidy/SKILL.md', 'Be tidy.')
  await bench.write('more.md', 'One thing more.')
  await bench.write('../agent', program, 0o755)
  const skill = { skills: ['skills/tidy'], prompt: './more.md', limits: { pids: 50 } }
  const participant = { name: 'claude', agent: 'claude', env: ['ANTHROPIC_API_KEY=x'], program: path.join(bench.root, 'agent') }
  const checks = [{ name: 'tidy', run: 'cp answer.txt /result/', verify: 'grep -q tidy /result/answer.txt' }]
  await writeSuite(bench, {}, ['one'], {}, { participants: [{ ...participant, variants: { base: {}, skill } }], checks, ranking: 'checks' })
  await bench.write('briefs/one/brief.yaml', JSON.stringify({ schemaVersion: 1, limits: { pids: 60, fileSize: '1GiB' } }))
  return bench
}

const inRun = (bench: SuiteBench, file: string): string => readFileSync(path.join(bench.contest, 'runs/one/1', file), 'utf8')

test('the variants of a suite run with copies of what they bring', async () => {
  await using bench = await stage()
  const { summary } = await bench.run()
  expect(summary.ranking.map(({ name, passes }) => ({ name, hits: passes?.hits }))).toEqual([
    { name: 'claude-skill', hits: 1 },
    { name: 'claude-base', hits: 0 },
  ])
  expect(inRun(bench, 'suite/skills/tidy/SKILL.md')).toBe('Be tidy.')
  expect(inRun(bench, 'suite/more.md')).toBe('One thing more.')
  expect(inRun(bench, 'rounds/1/claude-skill/attempts/1/out/answer.txt')).toBe('One thing more.\nBe tidy.')
  const limits = parseContest(inRun(bench, 'contest.yaml')).participants.map((each) => each.limits)
  expect(limits).toEqual([
    { pids: 60, fileSize: '1GiB' },
    { pids: 60, fileSize: '1GiB' },
  ])
  const plan = await suitePlan(bench.contest, bench.suiteDeps, { fresh: true })
  expect(plan.open.participants).toBe(2)
})

test('a contest that has started keeps what its participants brought, and a fresh one gets the new files', async () => {
  await using bench = await stage()
  await bench.run()
  await bench.write('skills/tidy/SKILL.md', 'Be very tidy.')
  await bench.run({ retry: true })
  expect(inRun(bench, 'suite/skills/tidy/SKILL.md')).toBe('Be tidy.')
  const warnings = bench.suiteEvents.flatMap((each) => (each.type === 'warning' ? [each.message] : []))
  expect(warnings).toContainEqual(expect.stringMatching(/^one\/1 keeps its original configuration: /))
  await bench.run({ fresh: true })
  expect(inRun(bench, 'suite/skills/tidy/SKILL.md')).toBe('Be very tidy.')
})

test('what the participants of a suite bring needs consent in suite.yaml, and its contests need no other', async () => {
  const agreed: string[] = []
  await using bench = await stage({ isTrusted: async (_, sha256) => agreed.includes(sha256) })
  const asks = suiteAsks(await readSuite(bench.contest))
  expect(asks).toEqual([
    { key: 'contest.participants[0].variants.base.program', value: path.join(bench.root, 'agent') },
    { key: 'contest.participants[0].variants.skill.skills', value: expect.stringMatching(/^tidy \(sha256 [0-9a-f]{64}\)$/) },
    { key: 'contest.participants[0].variants.skill.program', value: path.join(bench.root, 'agent') },
  ])
  await expect(bench.run()).rejects.toThrow('suite.yaml asks for things that need your trust')
  agreed.push(asksHash(asks))
  expect((await bench.run()).summary.ranking).toHaveLength(2)
})

test('a file that is missing is reported with its line in suite.yaml', async () => {
  await using bench = await stage()
  await bench.write('more.md', '')
  await expect(readSuite(bench.contest)).rejects.toThrow(
    /^suite\.yaml, line \d+, column \d+: contest\.participants\[0\]\.variants\.skill\.prompt names an empty file: \.\/more\.md$/,
  )
})
