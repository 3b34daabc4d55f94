import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CellReport } from '../../../src/cell/report.ts'
import { openPlace, type Place } from '../repositories/place.ts'

let place: Place
beforeEach(() => {
  place = openPlace()
  mkdirSync(path.join(place.project, 'src'))
  for (const each of ['tracked.js', 'src/other.js', '.mcp.json']) writeFileSync(path.join(place.project, each), '{}\n')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
})
afterEach(() => place[Symbol.asyncDispose]())

const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: place.project, encoding: 'utf8' })
const named = (report: CellReport): readonly string[] => (report.changes?.runsLater ?? []).map((each) => `${each.path}: ${each.why}`).sort()
const me = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b;'
/** Returns a script that commits files without ever writing them to the work tree. */
const commitOnly = (files: readonly string[], ref: string): string => `${me}
  blob=$(echo bad | git hash-object -w --stdin); export GIT_INDEX_FILE=$PWD/own-index; git read-tree HEAD
  ${files.map((each) => `git update-index --add --cacheinfo 100644,$blob,${each}`).join('; ')}
  git update-ref ${ref} $(git commit-tree $(git write-tree) -p HEAD -m second); rm own-index; unset GIT_INDEX_FILE`

test('A8: protected paths that are only in a new commit are named with the branch that has them', async () => {
  const files = ['.envrc', '.mcp.json', 'sub/.claude/settings.json', '.vscode/tasks.json', '.husky/pre-commit', '.paddock.yaml']
  const report = await place.inCell(commitOnly([...files, 'harmless.txt'], 'refs/heads/main'))
  expect(existsSync(path.join(place.project, '.envrc'))).toBe(false)
  expect(named(report).map((each) => each.replace(/ [0-9a-f]{10}:/, ' ID:'))).toEqual(
    files.map((each) => `${each}: refs/heads/main has it in commit ID: the next checkout writes it`).sort(),
  )
})

test('A8: a commit on another branch, a stash, a tag in packed refs and a detached HEAD count', async () => {
  for (const [ref, more] of [
    ['refs/heads/other', ''],
    ['refs/stash', ''],
    ['refs/tags/v1', 'git pack-refs --all'],
  ] as const) {
    const report = await place.inCell(`${commitOnly(['.envrc'], ref)}\n${more}`)
    expect(named(report), ref).toContainEqual(expect.stringContaining(`.envrc: ${ref} has it`))
  }
  const report = await place.inCell(
    `${commitOnly(['.envrc'], 'refs/x')}; id=$(git rev-parse refs/x); git update-ref -d refs/x; git update-ref --no-deref HEAD $id`,
  )
  expect(named(report)).toContainEqual(expect.stringMatching(/^\.envrc: .*HEAD has it/))
})

test('A8: protected paths that are only in an index are named, and those of the last commit are not', async () => {
  const report = await place.inCell('git update-index --add --cacheinfo 100644,$(echo bad | git hash-object -w --stdin),sub/.envrc')
  expect(named(report)).toEqual(['sub/.envrc: it is in the index of git: git restore writes it'])
  git('reset', '-q')
  expect(named(await place.inCell('echo more >> tracked.js; git add -A'))).toEqual([])
})

test('A8: from a linked work tree, the index of the main one cannot be changed', async () => {
  const tree = path.join(place.root, 'tree')
  git('worktree', 'add', '-q', tree)
  const report = await place.inCell(
    `GIT_INDEX_FILE=${place.project}/.git/index git update-index --add --cacheinfo 100644,$(echo bad | git hash-object -w --stdin),.envrc || true`,
    tree,
  )
  expect(named(report)).toEqual([])
  expect(git('ls-files', '.envrc').toString()).toBe('')
})

test('A8: ordinary commits, merges and checkouts of a cell name nothing', async () => {
  const report =
    await place.inCell(`${me} echo more >> tracked.js; git commit -qam second; git checkout -qb topic; echo new > file.txt; git add .
    git commit -qm third; git checkout -q main; git merge -q --no-ff topic -m merge; git tag v1; git stash list`)
  expect(named(report)).toEqual([])
  expect(report.changes?.unsearched).toEqual([])
})

test('A8: a repository whose objects are of SHA-256 is looked at', async () => {
  execFileSync(
    'sh',
    ['-c', 'rm -rf .git; git init -q --object-format=sha256; git add .; git -c user.name=a -c user.email=a@b commit -qm first'],
    { cwd: place.project },
  )
  expect(named(await place.inCell(commitOnly(['.envrc'], 'refs/heads/other')))).toEqual([
    expect.stringContaining('.envrc: refs/heads/other has it'),
  ])
})

test('A8: objects that make git fail end no look at the tree, and the ref is named as not searched', async () => {
  const report = await place.inCell(`echo ${'1'.repeat(40)} > .git/refs/heads/broken; mkdir -p sub; echo bad > sub/.envrc`)
  expect(report.changes?.quarantined.map((each) => each.path)).toEqual(['sub/.envrc'])
  expect(report.changes?.unsearched).toEqual(['.git/refs/heads/broken'])
})

test('B4: changed files that the index hides are named', async () => {
  const report = await place.inCell(`echo bad >> tracked.js; git update-index --assume-unchanged tracked.js
    echo bad >> src/other.js; git update-index --skip-worktree src/other.js`)
  expect(git('status', '--porcelain')).toBe('')
  expect(named(report)).toEqual(
    ['src/other.js', 'tracked.js'].map((each) => `${each}: it was changed, and the index hides that from git status and git diff`),
  )
})

test('B4: lists in .git/info are read-only, and new ones are quarantined', async () => {
  await place.inCell('if echo "*.js" >> .git/info/exclude || mv .git/info away; then touch written; fi 2>/dev/null; true')
  expect(existsSync(path.join(place.project, 'written'))).toBe(false)
  execFileSync('rm', ['-r', path.join(place.project, '.git/info')])
  const report = await place.inCell('mkdir -p .git/info && for each in exclude attributes grafts; do echo "*" > .git/info/$each; done')
  expect(report.changes?.quarantined.map((each) => each.path).sort()).toEqual([
    '.git/info/attributes',
    '.git/info/exclude',
    '.git/info/grafts',
  ])
})

test('B4: objects in the place of others are named', async () => {
  const report = await place.inCell(`${me} git replace --graft HEAD 2>/dev/null || git replace HEAD $(git commit-tree HEAD^{tree} -m other)
    echo /tmp > .git/objects/info/alternates`)
  expect(named(report).map((each) => each.split(':')[0])).toEqual(['.git/objects/info/alternates', '.git/refs/replace'])
})

test('B4: a shortened history is named', async () => {
  const report = await place.inCell('git rev-parse HEAD > .git/shallow')
  expect(named(report).map((each) => each.split(':')[0])).toEqual(['.git/shallow'])
})

test('B4: objects in the place of others are named if their ref is packed, without its directory', async () => {
  const report = await place.inCell(`${me} git replace HEAD $(git commit-tree HEAD^{tree} -m other)
    git pack-refs --all; rmdir .git/refs/replace`)
  expect(named(report).map((each) => each.split(':')[0])).toEqual(['.git/refs/replace'])
})

test('B4: a ref to a file hides neither other refs nor the index nor replaced objects', async () => {
  const report = await place.inCell(`${commitOnly(['.envrc'], 'refs/heads/other')}
    git tag a-file HEAD:tracked.js; git replace HEAD:tracked.js $(echo other | git hash-object -w --stdin)
    git update-index --assume-unchanged tracked.js; echo bad > tracked.js`)
  expect(named(report).map((each) => each.split(':')[0])).toEqual(['.envrc', '.git/refs/replace', 'tracked.js'])
  expect(report.changes?.unsearched).toEqual([])
})

test('B4: a ref to a broken commit is named as not searched, and hides nothing else', async () => {
  const report = await place.inCell(`${commitOnly(['.envrc'], 'refs/heads/other')}
    id=$(git commit-tree HEAD^{tree} -m broken); git update-ref refs/heads/broken $id
    rm -f .git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)
    git update-index --assume-unchanged tracked.js; echo bad > tracked.js`)
  expect(named(report).map((each) => each.split(':')[0])).toEqual(['.envrc', 'tracked.js'])
  expect(report.changes?.unsearched).toEqual(['.git/refs/heads/broken'])
})

test('B4: refs that are too large to be read are named as not searched', async () => {
  const report = await place.inCell(`${commitOnly(['.envrc'], 'refs/tags/v1')}
    git pack-refs --all; head -c 70000000 /dev/zero | tr '\\0' '#' >> .git/packed-refs`)
  expect(report.changes?.unsearched).toEqual(['.git/refs'])
})

test('B4: git gc and commits work in a cell, and print nothing', async () => {
  await place.inCell(
    `${me} for i in 1 2 3; do echo $i > f$i; git add .; git commit -qm $i; done; { git gc -q; git repack -qad; } > said 2>&1`,
  )
  expect(readFileSync(path.join(place.project, 'said'), 'utf8')).toBe('')
  expect(git('log', '--format=%s').trim().split('\n')).toEqual(['3', '2', '1', 'first'])
  git('fsck', '--strict')
})
