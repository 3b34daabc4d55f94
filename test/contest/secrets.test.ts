import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sealSchema } from '../../src/contest/seal/seal-schema.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { evenJudge, openBench, writeContest } from '../support/contest-bench.ts'
import { namesIn, sealedFile } from '../support/sealed-files.ts'

const key = 'an-own-key-that-is-in-play-0123456789'
const github = `ghp${'_'}wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx`

/** Writes a contest whose participants and judges get a variable that their `env` names. */
async function withKey(participants: Readonly<Record<string, string>>, judges: Readonly<Record<string, string>>, more: object = {}) {
  const bench = await openBench({ env: { MY_API_KEY: key } })
  await writeContest(bench, participants, judges, more as Record<string, unknown>)
  const file = path.join(bench.contest, 'contest.yaml')
  const config = JSON.parse(readFileSync(file, 'utf8')) as { participants: object[]; judges: object[] }
  for (const each of [...config.participants, ...config.judges]) Object.assign(each, { env: ['MY_API_KEY'] })
  writeFileSync(file, JSON.stringify(config))
  return bench
}

/** Returns every file in a directory that contains a text. */
function holding(directory: string, text: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((each) => statSync(path.join(directory, each)).isFile() && readFileSync(path.join(directory, each)).includes(text))
}

test('a submission with a credential that was in play is not sealed; neither judges nor the report see it', async () => {
  await using bench = await withKey(
    {
      good: 'echo good > answer.txt',
      plain: 'echo good > answer.txt; mkdir sub; printf "one\\n key=%s\\n" "$MY_API_KEY" > sub/config',
      wrapped: 'echo "xx$MY_API_KEY" | base64 -w 12 > answer.txt',
      packed: 'echo "$MY_API_KEY" | gzip > answer.txt',
      named: 'echo x > answer.txt; echo x > "$MY_API_KEY"',
    },
    {
      judge: `grep -r "$MY_API_KEY" /contest/submissions && exit 1; ls /contest/submissions | wc -l > /contest/outbox/count; echo "I know $MY_API_KEY" > /contest/outbox/review.md; ${evenJudge(3)}; sed -i "s/^{/{\\"comment\\":\\"I know $MY_API_KEY\\",/" /contest/outbox/scores.json`,
    },
  )
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking.map((each) => each.name)).toEqual(['good'])
  expect(Object.fromEntries(summary.notRanked.map((each) => [each.name, each.outcome?.message]))).toEqual({
    plain: 'its submission was not accepted: it contains a credential: sub/config:2 (MY_API_KEY, which the cell had)',
    wrapped: expect.stringMatching(/answer\.txt:\d \(MY_API_KEY, which the cell had\)/),
    packed: 'its submission was not accepted: it contains a credential: answer.txt (MY_API_KEY, which the cell had)',
    named: expect.stringContaining('[secret MY_API_KEY] (MY_API_KEY, which the cell had)'),
  })
  expect(summary.notRanked.every((each) => each.outcome?.kind === 'leaks-a-credential' && !each.failedToRun)).toBe(true)
  const sealed = path.join(bench.contest, 'rounds/1/sealed')
  expect(holding(sealed, key)).toEqual([])
  expect(namesIn(path.join(sealed, 'plain/out.tar'))).toEqual([])
  expect(holding(path.join(bench.contest, 'report'), key)).toEqual([])
  expect(summary.judges[0]?.comment).toBe('I know [secret MY_API_KEY]')
  const judged = path.join(bench.contest, 'judging/1/judge/tasks/1')
  for (const each of ['scores.json', 'review.md'])
    expect(readFileSync(path.join(judged, each), 'utf8')).toContain('I know [secret MY_API_KEY]')
  for (const each of ['status.json', 'events.jsonl']) expect(readFileSync(path.join(bench.contest, each), 'utf8')).not.toContain(key)
  expect(JSON.stringify(bench.events)).not.toContain(key)
})

test('a value that only looks like a secret is sealed, and named in seal, report and notes', async () => {
  await using bench = await withKey(
    { example: `mkdir t; echo '// token = ${github}' > t/a.test.js; ln -s /x "l-$MY_API_KEY"; echo fine > answer.txt` },
    {},
    { rubric: undefined, checks: [{ name: 'has', command: 'cat answer.txt' }] },
  )
  const { summary } = await runContest(bench.contest, bench.deps)
  const finding = { path: 't/a.test.js', line: 1, column: 12, endColumn: 52, rule: 'github', what: 'github token', masked: 'ghp_…' }
  expect(summary.ranking[0]?.secrets?.findings).toEqual([finding])
  expect(summary.notes.join()).toContain(
    'example contains what looks like a secret, so check it before you publish it: t/a.test.js:1 (github token, ghp_…)',
  )
  const seal = sealSchema.parse(JSON.parse(readFileSync(path.join(bench.contest, 'rounds/1/sealed/example/seal.json'), 'utf8')))
  expect(seal).toMatchObject({ state: 'sealed', secrets: { findings: [finding], more: 0, notLookedCount: 0 } })
  expect(JSON.stringify(seal.dropped)).toContain('l-[secret MY_API_KEY]')
  for (const each of ['leaderboard.md', 'report.html', 'summary.json']) {
    const text = readFileSync(path.join(bench.contest, 'report', each), 'utf8')
    expect([each, text.includes('a.test.js'), text.includes(github)]).toEqual([each, true, false])
  }
})

test('raw/ is searched before any agent sees it if one has egress; masked files appear empty', async () => {
  await using bench = await openBench()
  const look = 'cat /contest/raw/.env /contest/raw/keys/* > answer.txt 2>/dev/null; cat /contest/raw/shown >> answer.txt'
  await writeContest(
    bench,
    { one: look },
    {},
    { rubric: undefined, checks: [{ name: 'has', command: 'cat answer.txt /contest/raw/.env' }] },
  )
  const file = path.join(bench.contest, 'contest.yaml')
  const config = JSON.parse(readFileSync(file, 'utf8')) as { participants: object[] }
  Object.assign(config.participants[0] ?? {}, { egress: { policy: 'allowlist', allow: ['models.example'] } })
  writeFileSync(file, JSON.stringify(config))
  for (const [name, content] of Object.entries({ '.env': 'API_TOKEN=abcdefghijklmnop\n', 'keys/a': 'key\n', shown: 'shown\n' }))
    await bench.write(`raw/${name}`, content)
  await runContest(bench.contest, bench.deps)
  const warnings = (): string[] => bench.events.flatMap((each) => (each.type === 'warning' ? [each.message] : []))
  expect(warnings()).toEqual([
    'raw/.env contains what looks like a secret (value of a setting), and participant one can reach models.example; to hide it, write mask: [raw/.env] into contest.yaml',
  ])
  bench.events.length = 0
  writeFileSync(file, JSON.stringify({ ...config, mask: ['raw/.env', 'raw/keys'] }))
  const { summary } = await runContest(bench.contest, bench.deps, { fresh: true })
  expect(warnings()).toEqual([])
  expect(sealedFile(bench.contest, 'one', 'answer.txt', 2)).toBe('shown\n')
  expect(summary.ranking[0]?.checks.passed).toBe(1)
  expect(readFileSync(path.join(bench.contest, 'raw/.env'), 'utf8')).toContain('abcdefghijklmnop')
})

test.each([
  ['raw/absent', 'does not exist'],
  ['raw/link', 'is a symbolic link, or behind one'],
  ['raw/to/file', 'is a symbolic link, or behind one'],
  ['BRIEF.md', 'is not in a directory that a cell sees'],
  ['raw', 'is not in a directory that a cell sees'],
  ['raw/../BRIEF.md', 'must stay inside the contest directory'],
])('a mask of %s %s', async (mask, why) => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'true' }, {}, { rubric: undefined, checks: [{ name: 'has', command: 'true' }], mask: [mask] })
  mkdirSync(path.join(bench.contest, 'raw/real'), { recursive: true })
  writeFileSync(path.join(bench.contest, 'raw/real/file'), '')
  symlinkSync('real/file', path.join(bench.contest, 'raw/link'))
  symlinkSync('real', path.join(bench.contest, 'raw/to'))
  await expect(runContest(bench.contest, bench.deps)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(why) })
  expect(existsSync(path.join(bench.contest, 'rounds'))).toBe(false)
})
