import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { type Bench, evenJudge, openBench, writeContest } from '../support/contest-bench.ts'
import { sealedFile } from '../support/sealed-files.ts'

/** Arguments with which find(1) in the cell searches everything that the cell can see. */
const everywhere = '/ -not -path "/proc/*" -not -path "/sys/*"'

function outbox(bench: Bench, judge: string, file: string): string {
  return readFileSync(path.join(bench.contest, 'judging/1', judge, 'tasks/1', file), 'utf8')
}

/** Returns the files in a directory of the host that contain a text. */
function holding(directory: string, text: string): readonly string[] {
  try {
    return execFileSync('grep', ['-rlaF', '--', text, directory], { encoding: 'utf8' }).trim().split('\n')
  } catch {
    return []
  }
}

describe('the attacks', () => {
  test('a participant reads the out/ of another one while both work', async () => {
    await using bench = await openBench()
    // Each leaves a file, waits until the other one must have left its file too, and looks for both.
    const work = (name: string): string =>
      `echo mark-of-${name} > /contest/out/own-${name}; date +%s > /contest/out/began; sleep 3; date +%s > /contest/out/looked; find ${everywhere} -name 'own-*' 2>/dev/null | sort > /contest/out/found; ls /proc | grep -c '^[0-9]' > /contest/out/processes`
    await writeContest(
      bench,
      { alpha: work('alpha'), beta: work('beta') },
      {},
      { rubric: undefined, checks: [{ name: 'c', command: 'true' }], parallel: 2 },
    )
    await runContest(bench.contest, bench.deps)
    const read = (name: string, file: string): string => sealedFile(bench.contest, name, file).trim()
    for (const [name, other] of [
      ['alpha', 'beta'],
      ['beta', 'alpha'],
    ] as const) {
      expect(Number(read(name, 'looked'))).toBeGreaterThanOrEqual(Number(read(other, 'began')))
      expect(read(name, 'found')).toBe(`/contest/out/own-${name}`)
    }
  })

  test('a participant signs its output so that a judge knows whose it is', async () => {
    await using bench = await openBench()
    const sign = 'cd /contest/out; echo work > answer.txt; touch -d 2020-02-02 answer.txt; ln -s /by-alpha link'
    const look = `cd /contest; find . | sort > outbox/review.md; find submissions -type f -printf '%u %g %T@ %m\\n' | sort -u >> outbox/review.md; env >> outbox/review.md; ${evenJudge(3)}`
    await writeContest(bench, { 'alpha-the-first': sign, 'beta-the-second': sign }, { judge: look })
    await runContest(bench.contest, bench.deps)
    const seen = outbox(bench, 'judge', 'review.md')
    expect(seen).toContain('./submissions/A/answer.txt')
    expect(seen).toContain('./submissions/B/answer.txt')
    expect(seen).not.toMatch(/alpha|beta|link/)
    expect(seen.match(/^\S+ \S+ 946684800\.\d+ \d+$/gm)).toHaveLength(1)
  })

  test('a judge sees what participants printed, logs, or the mapping', async () => {
    await using bench = await openBench()
    const tell = 'echo "said-by-alpha"; echo "said-by-alpha" >&2; echo work > /contest/out/answer.txt'
    const look = `find ${everywhere} \\( -name 'mapping*' -o -name '*.log' -o -name 'agent.jsonl' -o -name 'status.json' -o -name 'events.jsonl' \\) 2>/dev/null > /contest/outbox/review.md; grep -rsl said-by-alpha /contest /tmp "$HOME" >> /contest/outbox/review.md; ls /contest >> /contest/outbox/review.md; ${evenJudge(3)}`
    await writeContest(bench, { alpha: tell }, { judge: look })
    await bench.write('JUDGE_BRIEF.md', 'Be kind.\n')
    await bench.write('raw/data.txt', 'data\n')
    await runContest(bench.contest, bench.deps)
    expect(
      outbox(bench, 'judge', 'review.md')
        .split('\n')
        // The list of what this cell itself was denied.
        .filter((each) => each !== '/run/paddock/denied.log')
        .filter((each) => each !== '' && !each.startsWith('/usr/') && !each.startsWith('/var/')),
    ).toEqual(['BRIEF.md', 'JUDGE_BRIEF.md', 'RUBRIC.md', 'TASK.json', 'outbox', 'raw', 'submissions'])
    expect(holding(path.join(bench.contest, 'rounds'), 'said-by-alpha').length).toBeGreaterThan(0)
    expect(statSync(path.join(bench.contest, 'judging/1/mapping.json')).mode & 0o777).toBe(0o600)
  })

  test('a program deletes ~/Documents', async () => {
    await using bench = await openBench()
    const documents = path.join(bench.deps.paths.userHome, 'Documents')
    mkdirSync(documents)
    writeFileSync(path.join(documents, 'thesis.txt'), 'years of work\n')
    const destroy = `ls '${documents}' > /contest/out/seen 2>&1; rm -rf ~/Documents '${documents}' '${bench.deps.paths.userHome}' '${bench.root}' 2>/dev/null; echo done > /contest/out/answer`
    await writeContest(bench, { careless: destroy }, {}, { rubric: undefined, checks: [{ name: 'c', command: 'true' }] })
    await runContest(bench.contest, bench.deps)
    expect(readFileSync(path.join(documents, 'thesis.txt'), 'utf8')).toBe('years of work\n')
    expect(sealedFile(bench.contest, 'careless', 'seen')).toContain('No such file')
    expect(existsSync(path.join(bench.contest, 'contest.yaml'))).toBe(true)
  })

  test('another run silently takes credentials of before', async () => {
    const env: Record<string, string> = { MY_TOKEN: 'the-token-of-the-first-run' }
    await using bench = await openBench({ env })
    const mark = 'printf %s "$MY_TOKEN" | md5sum > /contest/out/answer'
    const participants = [{ name: 'one', agent: 'command', command: ['sh', '-c', mark], env: ['MY_TOKEN'] }]
    await writeContest(bench, {}, {}, { participants, rubric: undefined, checks: [{ name: 'c', command: 'true' }] })
    const sumOf = (text: string): string => execFileSync('md5sum', { input: text, encoding: 'utf8' })
    await runContest(bench.contest, bench.deps)
    expect(sealedFile(bench.contest, 'one', 'answer')).toBe(sumOf('the-token-of-the-first-run'))
    env['MY_TOKEN'] = 'the-token-of-the-second-run'
    await runContest(bench.contest, bench.deps, { fresh: true })
    expect(sealedFile(bench.contest, 'one', 'answer', 2)).toBe(sumOf('the-token-of-the-second-run'))
    for (const each of ['the-token-of-the-first-run', 'the-token-of-the-second-run']) expect(holding(bench.root, each)).toEqual([])
  })

  test('a credential is in the contest, to be committed by accident', async () => {
    const key = 'sk-of-nobody-0123456789abcdef'
    await using bench = await openBench({ env: { MY_API_KEY: key } })
    const use = 'test -n "$MY_API_KEY" && echo used > /contest/out/answer'
    const participants = [{ name: 'one', agent: 'command', command: ['sh', '-c', use], env: ['MY_API_KEY'] }]
    await writeContest(bench, {}, {}, { participants, rubric: undefined, checks: [{ name: 'c', command: 'cat answer' }] })
    const { summary } = await runContest(bench.contest, bench.deps)
    expect(summary.ranking[0]?.checks.passed).toBe(1)
    expect(holding(bench.contest, key)).toEqual([])
    expect(holding(bench.deps.paths.state, key)).toEqual([])
  })
})

describe('anti-self-judging', () => {
  /** Runs a contest with three participants and three judges that report what they saw and in which order. */
  async function judged(): Promise<Bench> {
    const bench = await openBench()
    const make = (name: string): string =>
      `echo ${name} > /contest/out/who; ln -s /etc/hostname /contest/out/link; echo ok > /contest/out/file`
    const look = `cat > /contest/outbox/prompt; cd /contest/submissions; for l in *; do echo "$l $(cat $l/who) $(stat -c %F $l $l/file $l/link 2>/dev/null | tr '\\n' ,)"; done > /contest/outbox/review.md; cat /contest/outbox/prompt >> /contest/outbox/review.md; find ${everywhere} -name '*mapping*.json' 2>/dev/null | grep -v -e /node_modules/ -e ^/usr/ >> /contest/outbox/review.md; ${evenJudge(3)}`
    await writeContest(bench, { ada: make('ada'), bea: make('bea'), cleo: make('cleo') }, { j1: look, j2: look, j3: look })
    await runContest(bench.contest, bench.deps)
    return bench
  }
  const labelled = (bench: Bench, judge: string): readonly string[][] =>
    outbox(bench, judge, 'review.md')
      .split('\n')
      .slice(0, 3)
      .map((line) => line.split(' '))

  test('a sealed submission is copied into what a judge sees, not linked', async () => {
    await using bench = await judged()
    for (const judge of ['j1', 'j2', 'j3'])
      expect(labelled(bench, judge).map((each) => each.slice(2).join(' '))).toEqual(
        Array.from({ length: 3 }, () => 'directory,regular file,'),
      )
  })

  test('names are shuffled into labels A, B, C, of each judge its own', async () => {
    await using bench = await judged()
    const seen = ['j1', 'j2', 'j3'].map((judge) => labelled(bench, judge))
    for (const each of seen) {
      expect(each.map(([label]) => label)).toEqual(['A', 'B', 'C'])
      expect(each.map(([, who]) => who).toSorted()).toEqual(['ada', 'bea', 'cleo'])
    }
    // Across the three judges, everybody is A once, so no label gives an advantage.
    expect(seen.map((each) => each[0]?.[1]).toSorted()).toEqual(['ada', 'bea', 'cleo'])
  })

  test('the mapping is only on the host', async () => {
    await using bench = await judged()
    const file = path.join(bench.contest, 'judging/1/mapping.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { tasks } = JSON.parse(readFileSync(file, 'utf8')) as { tasks: { judge: string; labels: Record<string, string> }[] }
    expect(tasks.map(({ judge, labels }) => `${judge} ${Object.values(labels).toSorted().join(' ')}`).toSorted()).toEqual(
      ['j1', 'j2', 'j3'].map((judge) => `${judge} ada bea cleo`),
    )
    for (const judge of ['j1', 'j2', 'j3']) expect(outbox(bench, judge, 'review.md')).not.toContain('mapping')
  })

  test('the prompt of a judge has labels only', async () => {
    await using bench = await judged()
    for (const judge of ['j1', 'j2', 'j3']) {
      const prompt = outbox(bench, judge, 'review.md').split('\n').slice(3).join('\n')
      expect(prompt).toContain('submissions/')
      expect(prompt).not.toMatch(/\b(?:ada|bea|cleo)\b/)
    }
  })

  test('names come back on the host, after the judge wrote its scores', async () => {
    await using bench = await judged()
    for (const judge of ['j1', 'j2', 'j3']) {
      const written = JSON.parse(outbox(bench, judge, 'scores.json')) as { scores: object }
      expect(Object.keys(written.scores).toSorted()).toEqual(['A', 'B', 'C'])
    }
    for (const file of ['status.json', 'events.jsonl']) expect(readFileSync(path.join(bench.contest, file), 'utf8')).not.toMatch(/"[ABC]":/)
    const summary = JSON.parse(readFileSync(path.join(bench.contest, 'report/summary.json'), 'utf8')) as {
      judges: { labels: Record<string, string> }[]
    }
    for (const { labels } of summary.judges) expect(Object.values(labels).toSorted()).toEqual(['ada', 'bea', 'cleo'])
    expect(readdirSync(path.join(bench.contest, 'judging/1'))).toEqual(['identity.json', 'j1', 'j2', 'j3', 'mapping.json', 'orders.json'])
  })
})
