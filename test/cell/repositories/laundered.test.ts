import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPlace, type Place, wasRaised } from './place.ts'

let place: Place
beforeEach(() => {
  place = openPlace()
  git(place.project, 'init', '-q', '-b', 'main')
  git(place.project, 'commit', '-q', '--allow-empty', '-m', 'one')
  // A repository in the project from which the cell clones, with a submodule.
  const [lib, part] = ['lib', 'part'].map((each) => path.join(place.project, each))
  for (const each of [lib, part]) {
    git(place.project, 'init', '-q', '-b', 'main', each ?? '')
    writeFileSync(path.join(each ?? '', 'file'), 'content\n')
    git(each ?? '', 'add', '.')
    git(each ?? '', 'commit', '-q', '-m', 'one')
  }
  git(lib ?? '', 'submodule', '--quiet', 'add', part ?? '', 'part')
  git(lib ?? '', 'commit', '-q', '-m', 'two')
})
afterEach(() => place[Symbol.asyncDispose]())

function git(cwd: string, ...words: string[]): string {
  const as = ['protocol.file.allow=always', 'user.name=a', 'user.email=a@example.test'].flatMap((each) => ['-c', each])
  return execFileSync('git', [...as, ...words], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
const inCell = 'export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always;'
const names = (each: { readonly path: string }): string => each.path

test('A1: a clone, a repository and a bare clone of a cell are usable afterwards', async () => {
  const { changes } = await place.inCell(`${inCell}
    git clone -q $PWD/lib build/clone; git init -q build/new; git clone -q --bare $PWD/lib vendor/cache/lib-1
    cd build/new; echo 1 > a; git add a; git -c user.name=a -c user.email=a@b commit -q -m one; git switch -q -c other`)
  expect(changes?.quarantined).toEqual([])
  expect(changes?.laundered?.map(names).sort()).toEqual(['build/clone/.git', 'build/new/.git', 'vendor/cache/lib-1'])
  expect(changes?.laundered?.flatMap((each) => each.removed)).toEqual([])
  const clone = path.join(place.project, 'build/clone')
  expect(git(clone, 'status', '--porcelain')).toBe('')
  git(clone, 'fetch', '-q')
  expect(git(clone, 'remote', 'get-url', 'origin')).toBe(`${place.project}/lib\n`)
  expect(git(path.join(place.project, 'build/new'), 'status', '-sb')).toBe('## other\n')
  expect(git(path.join(place.project, 'vendor/cache/lib-1'), 'log', '--format=%s')).toBe('two\none\n')
})

test('A1: submodules of a clone and work trees of a cell are usable afterwards', async () => {
  const { changes } = await place.inCell(`${inCell}
    git clone -q --recurse-submodules $PWD/lib build/clone
    git -C build/clone worktree add -q ../tree
    git worktree add -q mine; cd mine; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m two`)
  expect(changes?.quarantined).toEqual([])
  expect(git(path.join(place.project, 'build/clone/part'), 'status', '-sb')).toMatch(/^## HEAD/)
  expect(git(path.join(place.project, 'build/tree'), 'status', '-sb')).toBe('## tree\n')
  expect(git(path.join(place.project, 'mine'), 'log', '--format=%s')).toBe('two\none\n')
  git(place.project, 'worktree', 'remove', 'mine')
})

test('A1: everything in a new repository that runs a program is removed and named', async () => {
  const { changes } = await place.inCell(`
    git init -q new; cd new; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
    git config core.fsmonitor 'touch ${place.ran}'; git config alias.st '!touch ${place.ran}'; git config core.worktree ${place.root}
    git config remote.origin.url 'ext::touch ${place.ran}'; git config user.signingkey x
    printf '#!/bin/sh\\ntouch ${place.ran}\\n' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit
    mkdir -p .git/rebase-merge; echo 'exec touch ${place.ran}' > .git/rebase-merge/git-rebase-todo
    ln -s ${place.root}/rc .git/logs/HEAD.x; echo 'x' > .git/refs/heads/bad; mkfifo .git/pipe`)
  const [found] = changes?.laundered ?? []
  expect(found?.path).toBe('new/.git')
  expect([...(found?.removed ?? [])].sort()).toEqual(
    ['hooks/post-commit', 'logs/HEAD.x', 'pipe', 'rebase-merge', 'refs/heads/bad']
      .concat(['core.fsmonitor', 'alias.st', 'core.worktree', 'remote.origin.url', 'user.signingkey'].map((each) => `config: ${each}`))
      .sort(),
  )
  place.useGit('new')
  git(path.join(place.project, 'new'), 'commit', '-q', '--allow-empty', '-m', 'two')
  expect(wasRaised(place.ran)).toBe(false)
  expect(existsSync(path.join(place.project, 'new/.git/config.quarantined'))).toBe(true)
})

test('A1: a repository that cannot be laundered is quarantined', async () => {
  const { changes } = await place.inCell(`
    git init -q a; echo 'ref: refs/heads/../../x' > a/.git/HEAD
    git init -q b; printf '%040d refs/heads/../../x\\n' 1 > b/.git/packed-refs
    git init -q c; rm -r c/.git/refs
    git init -q d; git -C d config core.repositoryformatversion 2
    mkdir e; echo "gitdir: $PWD/.git" > e/.git; mkdir f; echo "gitdir: ../a/.git" > f/.git`)
  expect(
    changes?.quarantined
      .map(names)
      .filter((each) => each.endsWith('/.git'))
      .sort(),
  ).toEqual(['a/.git', 'b/.git', 'c/.git', 'd/.git', 'e/.git', 'f/.git'])
  expect(changes?.laundered).toEqual([])
})

test('A1: a work tree that the host adds while a cell runs stays as it is', async () => {
  const done = place.inCell('touch started; while ! test -e go; do sleep 0.1; done')
  const tree = path.join(place.root, 'tree')
  while (!existsSync(path.join(place.project, 'started'))) await new Promise((resolve) => setTimeout(resolve, 50))
  git(place.project, 'worktree', 'add', '-q', tree)
  writeFileSync(path.join(place.project, 'go'), '')
  expect((await done).changes?.quarantined).toEqual([])
  expect(git(tree, 'status', '-sb')).toBe('## tree\n')
})

test('A1: an index that leads out of the work tree is removed', async () => {
  mkdirSync(path.join(place.project, 'outside'))
  writeFileSync(path.join(place.project, 'outside/file'), 'kept\n')
  const { changes } = await place.inCell(`
    git init -q new; cd new; echo 1 > xxxoutsidexfile; git add .; git -c user.name=a -c user.email=a@b commit -q -m one
    sed -i 's#xxxoutsidexfile#../outside/file#' .git/index`)
  expect(changes?.laundered?.[0]?.removed).toEqual(['index'])
  git(path.join(place.project, 'new'), 'reset', '-q', '--hard')
  expect(readFileSync(path.join(place.project, 'outside/file'), 'utf8')).toBe('kept\n')
})

test('A1: an index with object IDs of another length than the repository is removed', async () => {
  const { changes } = await place.inCell(`
    git init -q --object-format=sha256 long; echo 1 > long/file; git -C long add .
    git init -q short; echo 1 > short/file; git -C short add .
    git init -q other; cp long/.git/index other/.git/index
    git init -q disguised --object-format=sha256; cp short/.git/index disguised/.git/index
    git worktree add -q tree; cp long/.git/index .git/worktrees/tree/index`)
  const without = changes?.laundered?.filter(({ removed }) => removed.includes('index')).map(names)
  expect(without?.sort()).toEqual(['.git/worktrees/tree', 'disguised/.git', 'other/.git'])
  expect(changes?.laundered?.length).toBe(5)
})

test('A1: a later cell can change and delete the repositories of an earlier one, which are laundered again', async () => {
  await place.inCell(`${inCell}
    for each in one two three; do git clone -q $PWD/lib $each; git clone -q --bare $PWD/lib $each.git; done`)
  const { changes } = await place.inCell(`
    rm -r one one.git
    for git in two/.git two.git
    do git --git-dir=$git config core.fsmonitor 'touch ${place.ran}'; mkdir -p $git/hooks; echo 'touch ${place.ran}' > $git/hooks/pre-auto-gc
      chmod +x $git/hooks/pre-auto-gc; mkdir -p $git/logs; ln -s /etc $git/logs/link; echo '* filter=evil' > $git/info/attributes; done
    git -C three config core.pager evil`)
  expect(changes?.laundered?.map(names).sort()).toEqual(['three/.git', 'two.git', 'two/.git'])
  for (const { removed } of changes?.laundered?.filter((each) => each.path.startsWith('two')) ?? [])
    expect([...removed].sort()).toEqual(['config: core.fsmonitor', 'hooks/pre-auto-gc', 'info/attributes', 'logs/link'])
  for (const each of ['two', 'two.git', 'three', 'three.git']) place.useGit(each)
  expect(wasRaised(place.ran)).toBe(false)
  expect(existsSync(path.join(place.project, 'one'))).toBe(false)
  // Laundered twice, it still counts as a repository of a cell.
  expect((await place.inCell('rm -r three three.git')).changes?.quarantined).toEqual([])
})

test('A1: a repository of an earlier cell is protected once the user has changed its settings, hooks or protected files', async () => {
  await place.inCell(`${inCell} for each in one two three four; do git clone -q $PWD/lib $each; done`)
  git(path.join(place.project, 'one'), 'config', 'user.name', 'me')
  writeFileSync(path.join(place.project, 'two/.git/hooks/post-commit'), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(path.join(place.project, 'three/.envrc'), 'mine\n')
  const { changes } = await place.inCell(`
    for each in one two three; do if mv $each/.git/hooks $each/x 2> /dev/null || mv $each $each.x 2> /dev/null; then exit 1; fi
      git -C $each config core.fsmonitor evil; done
    rm -r four`)
  expect(changes?.laundered).toEqual([])
  for (const each of ['one', 'two', 'three'])
    expect(readFileSync(path.join(place.project, each, '.git/config'), 'utf8')).not.toContain('fsmonitor')
  expect(existsSync(path.join(place.project, 'two/.git/hooks/post-commit'))).toBe(true)
})

test('both repositories of a cell are laundered if their paths differ only in bytes that are not text', async () => {
  const { changes } = await place.inCell(`
    for each in 376 377; do at=$(printf "\\\\$each"); git init -q "$at"; git -C "$at" config core.fsmonitor evil; done`)
  expect(changes?.laundered?.flatMap((each) => each.removed)).toEqual(['config: core.fsmonitor', 'config: core.fsmonitor'])
})

test('a repository is laundered if its path looks like the one of a quarantined entry', async () => {
  const { changes } = await place.inCell(`
    name=$(printf 'mise.\\377.toml'); touch "$name"; git init -q "$name.quarantined"; git -C "$name.quarantined" config core.fsmonitor evil`)
  expect(changes?.quarantined.map((each) => each.movedTo)).toEqual(['mise.\ufffd.toml.quarantined'])
  expect(changes?.laundered?.flatMap((each) => each.removed)).toEqual(['config: core.fsmonitor'])
})
