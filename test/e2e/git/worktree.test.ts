import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Ran, type Stage, type Who } from '../../support/cli.ts'

/** Runs git on the host as the owner of the tests. */
function git(stage: Stage, ...words: string[]): string {
  const settings = path.join(stage.root, 'gitconfig')
  writeFileSync(settings, '[safe]\n\tdirectory = *\n[user]\n\tname = a\n\temail = a@b\n')
  return String(execFileSync('git', words, { cwd: stage.project, env: { ...process.env, GIT_CONFIG_GLOBAL: settings } })).trim()
}

function stageOf(who: Who): Stage {
  const stage = makeStage(who)
  git(stage, 'init', '-q', '-b', 'main')
  for (const each of ['a.txt', 'sub/b.txt']) stage.put(each, `${each}\n`)
  git(stage, 'add', '.')
  git(stage, 'commit', '-q', '-m', 'first')
  stage.own()
  return stage
}

const me = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b;'
const inTree = (stage: Stage, name: string, script: string, options: readonly string[] = []): Promise<Ran> =>
  paddock(stage, ['run', '--worktree', name, ...options, '--', 'sh', '-c', me + script])
const worktree = (stage: Stage, ...words: string[]): Promise<Ran> => paddock(stage, ['worktree', ...words])

test.each(everyone)('a run works on its own branch, says how to merge, and the same name goes on, as %s', async (who) => {
  using stage = stageOf(who)
  const first = await inTree(stage, 'fix/login', 'echo 2 >> a.txt; git commit -qam two; pwd; git branch --show-current')
  expect(first.code, first.stderr).toBe(0)
  const [directory = '', branch] = first.stdout.trim().split('\n')
  expect([branch, directory.startsWith(path.join(stage.root, 'paddock/data/worktrees/'))]).toEqual(['fix/login', true])
  expect(first.stderr).toContain(`made work tree ${directory} on branch fix/login, from`)
  expect(first.stderr).toContain('1 commit on fix/login')
  expect(first.stderr).toContain(`work tree fix/login (${directory}), branch fix/login: 1 commit to merge`)
  expect(first.stderr).toContain('paddock worktree merge fix/login · ')
  expect([stage.read('a.txt'), git(stage, 'branch', '--show-current'), git(stage, 'status', '--porcelain')]).toEqual([
    'a.txt\n',
    'main',
    '',
  ])

  const again = await inTree(stage, 'fix/login', 'cat a.txt; echo 3 > new.txt')
  expect(again.stdout).toBe('a.txt\n2\n')
  expect(again.stderr).toContain('1 commit to merge, 1 uncommitted file')
  git(stage, 'merge', '-q', 'fix/login')
  expect(stage.read('a.txt')).toBe('a.txt\n2\n')
})

test.each(everyone)('several agents work on one repository at once, as %s', async (who) => {
  using stage = stageOf(who)
  const names = ['one', 'two', 'three']
  const all = await Promise.all(names.map((each) => inTree(stage, each, `sleep 1; echo ${each} > a.txt; git commit -qam ${each}`)))
  expect(
    all.map((each) => each.code),
    all.map((each) => each.stderr).join('\n'),
  ).toEqual([0, 0, 0])
  for (const each of names) expect(git(stage, 'log', '--format=%s', each)).toBe(`${each}\nfirst`)
  expect(git(stage, 'fsck', '--strict')).toBe('')
})

test.each(everyone)('a work tree with work that is nowhere else is removed only with --force, as %s', async (who) => {
  using stage = stageOf(who)
  await inTree(stage, 'x', 'echo 2 >> a.txt; git commit -qam two; echo 3 > new.txt')
  const listed = await worktree(stage, 'list')
  expect(listed.stdout).toMatch(/x +\/\S+ +1 commit to merge, 1 uncommitted file/)
  const refused = await worktree(stage, 'remove', 'x')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has 1 commit that is only there and 1 uncommitted file.')])
  git(stage, 'merge', '-q', 'x')
  stage.own()
  expect((await worktree(stage, 'remove', 'x')).stderr).toContain('has 1 uncommitted file.')
  // An index that calls every file unchanged does not hide a change.
  await inTree(stage, 'x', 'rm new.txt; git update-index --assume-unchanged a.txt; echo 4 > a.txt; git status --porcelain')
  expect((await worktree(stage, 'remove', 'x')).stderr).toContain('has 1 uncommitted file.')
  const { directory } = JSON.parse((await worktree(stage, 'open', '--json', 'x')).stdout) as { directory: string }
  await inTree(stage, 'x', 'git update-index --no-assume-unchanged a.txt; git checkout -q a.txt; mkdir locked; chmod 0 locked')
  const removed = await worktree(stage, 'remove', 'x')
  expect(
    [removed.code, existsSync(directory), git(stage, 'branch', '--list', 'x'), git(stage, 'worktree', 'list').split('\n').length],
    removed.stderr,
  ).toEqual([0, false, '', 1])
  await inTree(stage, 'y', 'echo 2 >> a.txt; git commit -qam lost')
  const forced = await worktree(stage, 'remove', '--force', 'y')
  expect(forced.code).toBe(0)
  const commit = /git branch y ([0-9a-f]+)/.exec(forced.stderr)?.[1] ?? ''
  expect(git(stage, 'log', '-1', '--format=%s', commit)).toBe('lost')
  expect((await worktree(stage, 'remove', 'y')).code).toBe(2)
})

test('the record of a newer Paddock does not hide other work trees', async () => {
  using stage = stageOf('user')
  for (const each of ['one', 'two']) await inTree(stage, each, 'true')
  const records = path.join(stage.root, 'paddock/state/worktrees')
  const [file = ''] = readdirSync(records, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('/one.json'))
  writeFileSync(path.join(records, file), '{"schemaVersion":2}')
  const listed = await worktree(stage, 'list')
  expect([listed.code, listed.stdout.match(/^\w+/gm)]).toEqual([0, ['NAME', 'two']])
  expect(listed.stderr).toContain(
    `not listed: ${path.join(records, file)} was written by a newer Paddock (schemaVersion 2; this one reads 1)`,
  )
  const { worktrees, unreadable } = JSON.parse((await worktree(stage, 'list', '--json')).stdout)
  expect([worktrees.length, unreadable.length]).toEqual([1, 1])
})

test.each(everyone)('what would run later in a work tree is shown before its directory is printed, as %s', async (who) => {
  using stage = stageOf(who)
  const ran = await inTree(stage, 'x', 'echo all: > Makefile; git add .; git commit -qm make')
  expect(ran.stderr).toMatch(/before you merge: review these before you go on; they can run on your machine: Makefile/)
  const refused = await worktree(stage, 'open', 'x')
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain('Makefile (make runs it)')
  const open = await worktree(stage, 'open', '--run-later', 'x')
  expect([open.code, existsSync(path.join(open.stdout.trim(), 'Makefile'))]).toEqual([0, true])
})

test.each(everyone)('a branch is merged only if no cell can write to the repository, as %s', async (who) => {
  using stage = stageOf(who)
  await inTree(stage, 'x', 'echo 2 >> a.txt; git commit -qam two')
  const running = inTree(stage, 'y', 'touch begun; while [ ! -e go ]; do sleep 0.1; done')
  const { directory } = JSON.parse((await worktree(stage, 'open', '--json', 'x')).stdout) as { directory: string }
  const other = path.join(path.dirname(directory), 'y')
  while (!existsSync(path.join(other, 'begun'))) await setTimeout(50)
  const busy = await worktree(stage, 'merge', 'x')
  writeFileSync(path.join(other, 'go'), '')
  expect([busy.code, busy.stderr]).toEqual([
    125,
    expect.stringContaining(`BUSY: A cell is running that can write to ${stage.project}/.git.`),
  ])
  expect(stage.read('a.txt')).toBe('a.txt\n')
  await running
  stage.own()
  writeFileSync(path.join(stage.home, '.gitconfig'), '[user]\n\tname = a\n\temail = a@b\n')
  const merged = await worktree(stage, 'merge', 'x')
  expect([merged.code, merged.stdout], merged.stderr).toEqual([
    0,
    expect.stringMatching(/^merged 1 commit of x into main, at [0-9a-f]{10}: 1 file changed\n$/),
  ])
  expect([stage.read('a.txt'), existsSync(directory)]).toEqual(['a.txt\n2\n', true])
})

test.each(everyone)('no program of the repository runs while a work tree is made and removed, as %s', async (who) => {
  using stage = stageOf(who)
  const trace = path.join(stage.root, 'project/trace')
  for (const each of ['post-checkout', 'reference-transaction']) {
    stage.put(`.git/hooks/${each}`, `#!/bin/sh\necho ${each} >> ${trace}\n`)
    chmodSync(path.join(stage.project, '.git/hooks', each), 0o755)
  }
  git(stage, 'config', 'core.fsmonitor', `echo monitor >> ${trace}`)
  stage.own()
  expect((await inTree(stage, 'x', 'true')).code).toBe(0)
  expect((await worktree(stage, 'remove', 'x')).code).toBe(0)
  expect(existsSync(trace)).toBe(false)
  git(stage, 'config', 'filter.own.smudge', 'sh -c "cd sub && sh ./b.txt"')
  writeFileSync(path.join(stage.project, '.git/info/attributes'), '*.txt filter=own\n')
  stage.own()
  const refused = await inTree(stage, 'y', 'true')
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('No work tree was made: to write a.txt and 1 more, git would run a filter (filter.own.smudge)'),
  ])
  expect(git(stage, 'branch', '--list', 'y')).toBe('')
})

test.each(everyone)('files that the configuration names are in a new work tree, and options are checked, as %s', async (who) => {
  using stage = stageOf(who)
  writeFileSync(path.join(stage.project, '.git/info/exclude'), '.env.example\nlink\n')
  stage.put('.env.example', 'A=1\n')
  stage.put('.paddock.yaml', 'schemaVersion: 1\nworktree:\n  copy: [.env.example, missing]\n')
  stage.own()
  expect((await paddock(stage, ['trust'])).code).toBe(0)
  const elsewhere = path.join(stage.root, 'trees')
  const there = await inTree(stage, 'x', 'cat .env.example; pwd', ['--worktree-in', '../trees'])
  expect(there.stdout, there.stderr).toBe(`A=1\n${elsewhere}/x\n`)
  expect(there.stderr).toContain('not copied to the work tree, because they are not regular files: missing')
  for (const name of ['-x', 'a..b', 'a/', '../x', 'x.lock', '.git', 'a b', 'a/.git', ''])
    expect((await paddock(stage, ['run', `--worktree=${name}`, '--', 'true'])).code, name).toBe(2)
  expect((await inTree(stage, 'y', 'true', ['--worktree-in', 'sub'])).stderr).toContain('is in the project itself')
  expect((await paddock(stage, ['run', '--worktree-in', '..', '--', 'true'])).code).toBe(2)
  expect((await inTree(stage, 'main', 'true')).stderr).toContain('failed')
  expect(readFileSync(path.join(stage.project, 'a.txt'), 'utf8')).toBe('a.txt\n')
})
