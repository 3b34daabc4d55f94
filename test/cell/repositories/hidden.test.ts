import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPlace, type Place, repositoryAt, wasRaised } from './place.ts'

let place: Place
beforeEach(() => {
  place = openPlace()
  execFileSync('git', ['init', '-q', place.project])
  mkdirSync(path.join(place.project, 'docs'))
  writeFileSync(path.join(place.project, 'docs/index.md'), 'hello\n')
})
afterEach(() => place[Symbol.asyncDispose]())

const linked = (to: string): string => `mkdir -p ${to}; cp -r docs/. ${to}; rm -r docs; ln -s ${to} docs`

test.each(['.git/x', '.git/lfs/y', '.git/logs/z', '.git/objects/ab', '.git/refs/heads/feature', '.git/modules-of/x/.git'])(
  'A1: a repository in %s runs nothing for a user who enters it by a link',
  async (at) => {
    const { quarantined } = (await place.inCell(`${repositoryAt(at, place.ran)}\n${linked(at)}`)).changes ?? {}
    for (const each of ['docs', 'docs.quarantined', at]) if (existsSync(path.join(place.project, each))) place.useGit(each)
    expect(wasRaised(place.ran)).toBe(false)
    // Both the repository and the link to it are named.
    expect(quarantined?.map((each) => each.path)).toContain('docs')
    expect(quarantined?.some((each) => each.path.startsWith(at))).toBe(true)
  },
)

test.each(['node_modules/a', '.venv/lib/b', 'src/__pycache__/c', 'node_modules/d/.vscode/e'])(
  'A1: a bare repository in %s runs nothing',
  async (at) => {
    await place.inCell(repositoryAt(at, place.ran))
    place.useGit(at)
    expect(wasRaised(place.ran)).toBe(false)
  },
)

test('A1: a hook that a cell puts into an old repository in node_modules runs nothing', async () => {
  const old = path.join(place.project, 'node_modules/a')
  execFileSync('git', ['init', '-q', old])
  await place.inCell(`printf '#!/bin/sh\\ntouch ${place.ran}\\n' > node_modules/a/.git/hooks/pre-auto-gc
    chmod +x node_modules/a/.git/hooks/pre-auto-gc; mkdir node_modules/a/.git/objects/17
    for i in 1 2 3 4 5 6 7 8 9; do touch node_modules/a/.git/objects/17/$(printf '%038d' $i); done`)
  execFileSync('git', ['-c', 'gc.auto=1', '-C', old, 'gc', '--auto'], { env: { PATH: '/usr/bin:/bin', HOME: place.root } })
  expect(wasRaised(place.ran)).toBe(false)
})

test('A1: old repositories in node_modules and in .git stay as they are', async () => {
  const old = ['node_modules/fixture', '.git/backup']
  for (const each of old) execFileSync('git', ['init', '-q', '--bare', path.join(place.project, each)])
  execFileSync('git', ['init', '-q', path.join(place.project, 'node_modules/whole')])
  const report = await place.inCell('true')
  for (const each of [...old, 'node_modules/whole/.git'].filter((each) => each !== '.git/backup'))
    expect(readFileSync(path.join(place.project, each, 'HEAD'), 'utf8')).toMatch(/^ref:/)
  expect(report.changes?.quarantined.map((each) => each.path)).toEqual(['.git/backup/HEAD'])
})

test('A1: submodules and linked work trees stay, and commits in them work', async () => {
  const git = (words: string[], cwd = place.project): string =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd,
      encoding: 'utf8',
    })
  const other = path.join(place.root, 'other')
  git(['init', '-q', other])
  git(['commit', '-q', '--allow-empty', '-m', 'first'], other)
  git(['commit', '-q', '--allow-empty', '-m', 'first'])
  git(['submodule', '--quiet', 'add', other, '.vscode'])
  git(['worktree', 'add', '-q', path.join(place.root, 'tree')])
  const report = await place.inCell(`cd .vscode; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m second`)
  expect(report.changes?.quarantined).toEqual([])
  expect(git(['log', '--format=%s'], path.join(place.project, '.vscode'))).toBe('second\nfirst\n')
  expect(git(['status', '--porcelain'], path.join(place.root, 'tree'))).toBe('')
})

test('A1: a cell of a linked work tree hides no repository in the git directory that it shares', async () => {
  const tree = path.join(place.root, 'tree')
  const git = (...words: string[]): Buffer =>
    execFileSync('git', ['-C', place.project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words])
  git('commit', '-q', '--allow-empty', '-m', 'first')
  git('worktree', 'add', '-q', tree)
  const hidden = path.join(place.project, '.git/x')
  const report = await place.inCell(`${repositoryAt(hidden, place.ran)}\nln -s ${hidden} docs`, tree)
  place.useGit('.git/x')
  place.useGit('../tree/docs.quarantined')
  expect(wasRaised(place.ran)).toBe(false)
  expect(existsSync(path.join(tree, 'docs'))).toBe(false)
  expect(report.changes?.quarantined.map((each) => each.path).sort()).toEqual(['docs', path.join(hidden, 'HEAD')].sort())
})

test('A1: a link into .git or node_modules is quarantined, and one inside node_modules is left alone', async () => {
  mkdirSync(path.join(place.project, 'node_modules/lib'), { recursive: true })
  symlinkSync('node_modules/lib', path.join(place.project, 'old'))
  const report = await place.inCell(`
    ln -s .git/hooks a; ln -s node_modules/lib b; ln -s nowhere/../.git/later c; ln -s ${place.project}/.git d
    ln -s docs e; mkdir node_modules/.bin packages packages/p; ln -s ../lib node_modules/.bin/lib
    ln -s ../../node_modules packages/p/node_modules; ln -s ../../.git/x node_modules/.bin/x`)
  const aside = report.changes?.quarantined.map((each) => each.path).sort()
  expect(aside).toEqual(['a', 'b', 'c', 'd', 'node_modules/.bin/x'])
  expect(lstatSync(path.join(place.project, 'old')).isSymbolicLink()).toBe(true)
})

test('a link whose name is not text is quarantined too', async () => {
  mkdirSync(path.join(place.project, 'node_modules/lib'), { recursive: true })
  const { changes } = await place.inCell(`ln -s node_modules/lib "$(printf '\\377')"`)
  expect(changes?.quarantined).toEqual([{ path: '\ufffd', movedTo: '\ufffd.quarantined' }])
  expect(readdirSync(place.project)).toContain('\ufffd.quarantined')
})

test('A1: a directory in .git that a cell closed is searched', async () => {
  await place.inCell(`${repositoryAt('.git/closed/x', place.ran)}\nchmod 000 .git/closed`)
  execFileSync('chmod', ['-R', 'u+rwx', path.join(place.project, '.git/closed')])
  place.useGit('.git/closed/x')
  expect(wasRaised(place.ran)).toBe(false)
})

test('A1: a link to a directory deeper than is searched is quarantined', async () => {
  const report = await place.inCell('d=$PWD; i=0; while [ $i -lt 200 ]; do mkdir d; cd d; i=$((i+1)); done; ln -s "$PWD" "$d/deep"')
  expect(report.changes?.quarantined.map((each) => each.path)).toEqual(['deep'])
})
