import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPlace, type Place, wasRaised } from './place.ts'

/**
 * What package managers leave in a project, made by the git commands that they run. Each tool fetches a tag in one cell, and a new one in
 * the next cell from the same caches.
 */
const tools = {
  // A bare database with a refspec of its own, and checkouts that are clones of it (CARGO_HOME/git).
  cargo: [
    `db=cargo/git/db/lib-1; git init -q --bare $db
     git -C $db fetch -q --force --update-head-ok file://$PWD/source '+HEAD:refs/remotes/origin/HEAD' '+refs/heads/*:refs/remotes/origin/*' --tags
     out=cargo/git/checkouts/lib-1/one; git clone -q --no-checkout $db $out; git -C $out reset -q --hard one; touch $out/.cargo-ok`,
    `db=cargo/git/db/lib-1
     git -C $db fetch -q --force --update-head-ok file://$PWD/source '+HEAD:refs/remotes/origin/HEAD' '+refs/heads/*:refs/remotes/origin/*' --tags
     out=cargo/git/checkouts/lib-1/two; git clone -q --no-checkout $db $out; git -C $out reset -q --hard two; test -e cargo/git/checkouts/lib-1/one/one`,
    'cargo/git/checkouts/lib-1/two',
  ],
  // A bare repository with a remote, fetched with depth 1 (GOMODCACHE/cache/vcs).
  go: [
    `vcs=go/pkg/mod/cache/vcs/0f; git init -q --bare $vcs; git -C $vcs remote add origin -- file://$PWD/source
     git -C $vcs fetch -q -f --depth=1 origin refs/tags/one:refs/tags/one; mkdir -p go/one; git -C $vcs archive one | tar x -C go/one`,
    `vcs=go/pkg/mod/cache/vcs/0f; git -C $vcs ls-remote -q origin > /dev/null; git -C $vcs fetch -q -f --depth=1 origin refs/tags/two:refs/tags/two
     git -C $vcs fetch -q -f 'origin' 'refs/heads/*:refs/heads/*' 'refs/tags/*:refs/tags/*' --unshallow
     mkdir -p go/two; git -C $vcs archive two | tar x -C go/two; test -e go/two/two`,
    'go/pkg/mod/cache/vcs/0f',
  ],
  // A repository in deps/NAME whose remote is set by name.
  mix: [
    `mkdir -p deps/lib; git -C deps/lib init -q; git -C deps/lib config remote.origin.url file://$PWD/source
     git -C deps/lib fetch -q --force --tags origin; git -C deps/lib checkout -q --quiet one`,
    // mix deps.get reads both, and mix deps.update writes the address again.
    `test "$(git -C deps/lib config remote.origin.url)" = file://$PWD/source; test "$(git -C deps/lib rev-parse --verify HEAD)" = "$(git -C source rev-parse one)"
     git -C deps/lib config remote.origin.url file://$PWD/source
     git -C deps/lib fetch -q --force --tags origin; git -C deps/lib checkout -q --quiet two`,
    'deps/lib',
  ],
  // A bare mirror in a cache, and a clone of it.
  bundler: [
    `cache=vendor/cache/bundler/git/lib-1; git clone -q --bare --no-hardlinks --no-tags -- file://$PWD/source $cache
     git -C $cache fetch -q --force --no-tags -- file://$PWD/source 'refs/tags/one:refs/tags/one'
     out=vendor/bundler/gems/lib-1; git clone -q --no-checkout $cache $out; git -C $out fetch -q --force --tags $PWD/$cache; git -C $out reset -q --hard one`,
    `cache=vendor/cache/bundler/git/lib-1; out=vendor/bundler/gems/lib-1
     git -C $cache fetch -q --force --no-tags -- file://$PWD/source 'refs/heads/*:refs/heads/*' 'refs/tags/*:refs/tags/*'
     git -C $out fetch -q --force --tags $PWD/$cache; git -C $out reset -q --hard two; git -C $out clean -qfdx`,
    'vendor/bundler/gems/lib-1',
  ],
} as const

let place: Place
beforeEach(() => {
  place = openPlace()
  const source = path.join(place.project, 'source')
  for (const each of [place.project, source]) execFileSync('git', ['init', '-q', '-b', 'main', each])
  addTag('one')
})
afterEach(() => place[Symbol.asyncDispose]())

function addTag(name: string): void {
  const git = (...words: string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: path.join(place.project, 'source') })
  }
  writeFileSync(path.join(place.project, 'source', name), '1\n')
  git('add', '.')
  git('commit', '-q', '-m', name)
  git('tag', name)
}

test.each(Object.entries(tools))('A1: what %s leaves is used in a later cell and on the host', async (_, [first, second, at]) => {
  const begun = await place.inCell(first)
  expect(begun.changes?.quarantined).toEqual([])
  expect(begun.changes?.laundered?.flatMap((each) => each.removed)).toEqual([])
  addTag('two')
  const { changes } = await place.inCell(second)
  expect(changes?.quarantined).toEqual([])
  const text = execFileSync('git', ['-c', 'safe.directory=*', 'log', '-1', '--format=%s', 'refs/tags/two'], {
    cwd: path.join(place.project, at),
  })
  expect(String(text)).toBe('two\n')
  place.useGit(at)
  expect(wasRaised(place.ran)).toBe(false)
  expect(readdirSync(place.project).filter((each) => each.includes('quarantined'))).toEqual([])
})
