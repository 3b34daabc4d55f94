import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { becoming, everyone, makeStage, paddock, type Ran, type Stage, startPaddock, type Who } from '../../support/cli.ts'

const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' }

function onHost(stage: Stage, script: string): string {
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-ec', script]
  return execFileSync(program, rest, { cwd: stage.project, env: { ...stage.env, ...identity }, encoding: 'utf8' })
}

function stageOf(who: Who, script = ''): Stage {
  const stage = makeStage(who)
  stage.own()
  onHost(stage, `git init -qb main .; echo a > a.txt; git add .; git commit -qm first; ${script}`)
  return stage
}

const me = 'set -e; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b;'
const inTree = (stage: Stage, script: string): Promise<Ran> => paddock(stage, ['run', '--worktree', 'x', '--', 'sh', '-c', me + script])
const worktree = (stage: Stage, ...words: string[]): Promise<Ran> => paddock(stage, ['worktree', ...words])

/** Commits a submodule `sub` in the work tree, whose directory is a repository of the agent. */
const submodule = `git init -q sub; cd sub; echo f > f; echo 'f filter=x' > .gitattributes; git add .; git commit -qm s; S=$(git rev-parse HEAD)
  git config filter.x.clean 'touch "$RAN"; cat'; cd ..; git update-index --add --cacheinfo 160000,$S,sub; git commit -qm link`

test.each(everyone)('a filter of a repository in place of a submodule does not run on the host, as %s', async (who) => {
  using stage = stageOf(who)
  const ran = path.join(stage.root, 'project/.git/ran')
  const child = startPaddock(stage, [
    ...['run', '--worktree', 'x', '--env', `RAN=${ran}`, '--', 'sh', '-c'],
    `${me} ${submodule}; echo ready; while [ ! -e stop ]; do touch sub/f; sleep 0.1; done`,
  ])
  let said = ''
  child.stdout?.on('data', (chunk) => (said += String(chunk)))
  await expect.poll(() => said).toContain('ready')
  const listed = await worktree(stage, 'list', '--json')
  const { worktrees } = JSON.parse(listed.stdout) as { worktrees: { directory: string }[] }
  expect(worktrees).toHaveLength(1)
  expect(existsSync(ran)).toBe(false)
  // What a cell may still change is not shown as reviewed.
  const open = await worktree(stage, 'open', 'x')
  expect([open.code, open.stdout]).toEqual([125, ''])
  expect(open.stderr).toContain('BUSY')
  const ended = new Promise((resolve) => child.once('close', resolve))
  writeFileSync(path.join(worktrees[0]?.directory ?? '', 'stop'), '')
  await ended
})

test.each(everyone)('files in place of a submodule are shown and kept, as %s', async (who) => {
  using stage = stageOf(who, 'git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),lib; git commit -qm lib')
  expect((await inTree(stage, 'mkdir -p lib; echo evil > lib/.envrc')).code).toBe(0)
  const open = await worktree(stage, 'open', 'x')
  expect([open.code, open.stdout], open.stderr).toEqual([1, ''])
  expect(open.stderr).toContain('lib/ (')
  expect((await worktree(stage, 'remove', 'x')).stderr).toContain('has 1 uncommitted file.')
})

test.each(everyone)('names that are not UTF-8 are shown and kept, as %s', async (who) => {
  using stage = stageOf(who)
  expect((await inTree(stage, 'd=$(printf "s\\377c"); mkdir "$d"; echo evil > "$d/.envrc"')).code).toBe(0)
  const open = await worktree(stage, 'open', 'x')
  expect([open.code, open.stdout], open.stderr).toEqual([1, ''])
  expect(open.stderr).toContain('not UTF-8')
  expect((await worktree(stage, 'remove', 'x')).stderr).toContain('has 1 uncommitted file.')
})

test.each(everyone)('a link in place of a directory above a protected path is shown, and not merged, as %s', async (who) => {
  using stage = stageOf(who)
  const script = ['.hg', '.config', '.agent', '.cargo']
    .map((each, at) => `mkdir d${at}; echo x > d${at}/x; ln -s d${at} ${each}`)
    .join('; ')
  expect((await inTree(stage, `${script}; git add .; git commit -qm links`)).code).toBe(0)
  for (const verb of ['open', 'merge']) {
    const { code, stderr } = await worktree(stage, verb, 'x')
    expect(code).not.toBe(0)
    expect(stderr).toContain('files that run later could be behind it')
  }
  expect(existsSync(path.join(stage.project, '.hg'))).toBe(false)
})

test.each(everyone)('a filter that the branch has, and the project lost, is not run for a new work tree, as %s', async (who) => {
  using stage = stageOf(
    who,
    `git config filter.x.smudge ./tools/smudge; echo 'z.dat filter=x' > .gitattributes; echo z > z.dat; git add .; git commit -qm z`,
  )
  const ran = path.join(stage.root, 'project/.git/ran')
  stage.put('tools/smudge', `#!/bin/sh\ntouch ${ran}\ncat\n`)
  chmodSync(path.join(stage.project, 'tools/smudge'), 0o755)
  stage.own()
  onHost(stage, 'git add tools; git commit -qm tools; rm -r tools')
  const { code, stderr } = await inTree(stage, 'true')
  expect([code, stderr]).toEqual([2, expect.stringContaining('to write z.dat, git would run a filter (filter.x.smudge)')])
  expect(existsSync(ran)).toBe(false)
})

test.each(everyone)('a rebase of the main work tree is read-only, and a planted merge is named, as %s', async (who) => {
  using stage = stageOf(
    who,
    'echo b > b; git add b; git commit -qm two; GIT_SEQUENCE_EDITOR="sed -i s/^pick/edit/" git rebase -qi HEAD~1 2> /dev/null',
  )
  const todo = path.join(stage.project, '.git/rebase-merge/git-rebase-todo')
  const before = readFileSync(todo, 'utf8')
  const ran = await inTree(
    stage,
    'C=$(git rev-parse --git-common-dir); echo "exec evil" >> $C/rebase-merge/git-rebase-todo || echo refused; mv $C/rebase-merge $C/x || echo refused; git rev-parse HEAD > $C/MERGE_HEAD',
  )
  expect(ran.stdout, ran.stderr).toBe('refused\nrefused\n')
  expect(readFileSync(todo, 'utf8')).toBe(before)
  expect(ran.stderr).toMatch(/review these.*MERGE_HEAD/)
})

test.each(everyone)('an address that an agent declares does not get into the config that work trees share, as %s', async (who) => {
  using stage = stageOf(who)
  const ran = await inTree(
    stage,
    `git init -q m; (cd m; git commit -q --allow-empty -m x); git -c protocol.file.allow=always submodule add -q --name lib ./m third
     git config -f .gitmodules submodule.lib.url https://evil.example/lib; git commit -qam s`,
  )
  expect(ran.code, ran.stderr).toBe(0)
  expect(stage.read('.git/config')).not.toContain('submodule')
  expect(ran.stderr).toContain('third')
})

test.each(everyone)('a work tree that the cell locked is removed as a whole, as %s', async (who) => {
  using stage = stageOf(who)
  expect((await inTree(stage, 'git worktree lock .')).code).toBe(0)
  const removed = await worktree(stage, 'remove', 'x')
  expect([removed.code, onHost(stage, 'git worktree list').trim().split('\n').length], removed.stderr).toEqual([0, 1])
  expect((await inTree(stage, 'true')).code).toBe(0)
})

test.each(everyone)('a directory whose object the cell replaced is found before a work tree is opened or merged, as %s', async (who) => {
  using stage = stageOf(who, 'mkdir .vscode; echo 1 > .vscode/tasks.json; git add .; git commit -qm two')
  const ran = await inTree(
    stage,
    `old=$(git rev-parse HEAD:.vscode); echo evil > .vscode/tasks.json; git commit -qam evil; new=$(git rev-parse HEAD:.vscode); cd "$(git rev-parse --git-common-dir)/objects"
     f=$(echo $old | cut -c1-2)/$(echo $old | cut -c3-); rm -f $f; cp $(echo $new | cut -c1-2)/$(echo $new | cut -c3-) $f`,
  )
  expect(ran.code, ran.stderr).toBe(0)
  for (const verb of ['open', 'merge']) {
    const { code, stdout, stderr } = await worktree(stage, verb, 'x')
    expect([verb, code, stdout]).toEqual([verb, 2, ''])
    expect(stderr).toContain('has other content than its ID says')
  }
})
