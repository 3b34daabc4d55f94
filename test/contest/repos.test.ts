import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readContest } from '../../src/contest/config/brief.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'
import { openForgeServer } from '../support/forge-server.ts'
import { internet } from '../support/inspect-lab.ts'
import { realCells } from '../support/real-cell.ts'
import { sealedFile } from '../support/sealed-files.ts'

test('a participant clones a repository of its own, by a placeholder of its own; another one has neither', async () => {
  const token = `gho_${randomBytes(18).toString('hex')}`
  await using forge = await openForgeServer(token)
  await using bench = await openBench()
  const { paths } = bench.deps
  await mkdir(path.join(paths.userHome, '.config/gh'), { recursive: true })
  await writeFile(path.join(paths.userHome, '.config/gh/hosts.yml'), `github.com:\n    oauth_token: ${token}\n`, { mode: 0o600 })
  const script =
    'cd /tmp; GIT_TERMINAL_PROMPT=0 git clone -q git@github.com:me/private.git it; cd /contest/out; (git -C /tmp/it log --format=%s; env; cat /etc/gitconfig) > seen.txt 2>&1'
  const contender = (name: string) => ({
    name,
    agent: 'command',
    command: ['sh', '-c', script],
    egress: { policy: 'allowlist', allow: [`github.com=127.0.0.1:${forge.port}`] },
  })
  const participants = [
    { ...contender('one'), repos: ['github.com/me/private'] },
    { ...contender('two'), repos: ['github.com/me/private'] },
    contender('three'),
  ]
  await writeContest(bench, {}, {}, { participants, judges: [], rubric: undefined, checks: [{ name: 'any', command: 'true' }] })
  const startCell = realCells(paths, { extraRoots: [internet.certificate] })
  await runContest(bench.contest, { ...bench.deps, startCell })
  const seen = ['one', 'two', 'three'].map((name) => sealedFile(bench.contest, name, 'seen.txt'))
  for (const each of seen) expect(each).not.toContain(token)
  const placeholders = seen.map((each) => /GH_TOKEN=(gho_\w+)/.exec(each)?.[1])
  expect(seen[0]).toMatch(/^first\n/)
  expect(seen[1]).toMatch(/^first\n/)
  expect(new Set(placeholders.slice(0, 2)).size).toBe(2)
  expect(placeholders[2]).toBeUndefined()
  expect(seen[2]).not.toMatch(/^first\n/)
  expect(forge.told.some((each) => each.token === token)).toBe(true)
})

test('an invalid repository is reported by its key', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    {},
    {},
    {
      participants: [{ name: 'one', agent: 'command', command: ['true'], repos: ['github.com/me'] }],
      judges: [],
      rubric: undefined,
      checks: [{ name: 'any', command: 'true' }],
    },
  )
  await expect(readContest(bench.contest)).rejects.toThrow(/repos.*is not a repository/s)
})
