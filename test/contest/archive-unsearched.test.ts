import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { archiveContest } from '../../src/contest/archive/archive.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'

test('an archive with a file that cannot be searched for secrets is made only with leave', async () => {
  await using bench = await openBench()
  const env = { SERVICE_TOKEN: 'a-long-value-of-my-own-0815' }
  const line = `printf '\\037\\213\\010\\000damaged' > data.gz`
  const participants = [{ name: 'alice', agent: 'command', env: ['SERVICE_TOKEN'], command: ['sh', '-c', line] }]
  await writeContest(bench, {}, {}, { participants, checks: [{ name: 'c', run: 'true', verify: 'true' }], judges: [], rubric: undefined })
  await runContest(bench.contest, { ...bench.deps, env })
  const out = path.join(bench.root, 'a.tar')
  const archive = (allowSecrets: boolean) =>
    archiveContest(bench.contest, { ...bench.deps, env }, { withLogs: false, format: 'tar', out, allowSecrets })
  await expect(archive(false)).rejects.toThrow(
    'The archive would contain files that could not be searched for secrets:\n  rounds/1/sealed/alice/data.gz (inside of it: it is damaged)',
  )
  expect(existsSync(out)).toBe(false)
  expect((await archive(true)).notSearched).toEqual([{ path: 'rounds/1/sealed/alice/data.gz', why: 'inside of it: it is damaged' }])
})

test('all text of an archive is searched for secrets, also that of a large file', async () => {
  await using bench = await openBench()
  // The key is whole only in the file, not in contest.yaml.
  const line = `head -c 3000000 /dev/zero | tr '\\0' x > large; echo " token=ghp""_0123456789abcdefghijABCDEFGHIJ012345" >> large`
  await writeContest(bench, { alice: line }, {}, { checks: [{ name: 'c', run: 'true', verify: 'true' }], judges: [], rubric: undefined })
  await runContest(bench.contest, bench.deps)
  const out = path.join(bench.root, 'a.tar')
  await expect(archiveContest(bench.contest, bench.deps, { withLogs: false, format: 'tar', out, allowSecrets: false })).rejects.toThrow(
    'The archive would contain what looks like secrets:\n  rounds/1/sealed/alice/large:1 (',
  )
  expect(existsSync(out)).toBe(false)
})
