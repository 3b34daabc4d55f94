import { expect, test } from 'vitest'
import { configChanges } from '../../../src/cell/trees/config-changes.ts'

const before = `[core]
	bare = false
[remote "origin"]
	url = https://one.example/r
[branch "main"]
	remote = origin
	merge = refs/heads/main
[branch "gone"]
	remote = origin
	description = "of a branch"
[submodule "sub"]
	url = https://one.example/sub
	active
`

function changes(after: string, current = before): { readonly taken: object; readonly left: readonly string[] } {
  const { taken, left } = configChanges(before, after, {
    declared: new Set(['declared']),
    hasBranch: (name) => name !== 'gone',
    current,
  })
  return { taken: Object.fromEntries(taken), left }
}

test.each([
  [
    'an upstream',
    '[branch "f"]\nremote = origin\nmerge = refs/heads/f\nrebase = merges',
    ['remote', 'merge', 'rebase'].map((each) => `branch.f.${each}`),
  ],
  ['an upstream of its own', '[branch "f"]\nremote = .', ['branch.f.remote']],
  [
    'a partial clone',
    '[remote "origin"]\npromisor = true\npartialclonefilter = blob:none\n[extensions]\npartialclone = origin',
    ['remote.origin.promisor', 'remote.origin.partialclonefilter', 'extensions.partialclone'],
  ],
  [
    'the format',
    '[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true',
    ['core.repositoryformatversion', 'extensions.worktreeconfig'],
  ],
])('a cell may set %s', (_, more, keys) => {
  const { taken, left } = changes(before + more)
  expect([Object.keys(taken), left]).toEqual([keys, []])
})

test.each([
  ['a program', '[core]\nfsmonitor = evil', ['core.fsmonitor=evil']],
  ['a program by an unusual spelling', '[CORE]\nHooksPath = evil', ['core.hookspath=evil']],
  ['a file', '[include]\npath = evil\n[includeIf "gitdir:/"]\npath = evil', ['include.path=evil', 'includeif.gitdir:/.path=evil']],
  ['another address of a remote', '[remote "origin"]\nurl = evil', ['remote.origin.url=https://one.example/r', 'remote.origin.url=evil']],
  ['a new remote', '[remote "evil"]\nurl = evil\npromisor = true', ['remote.evil.url=evil', 'remote.evil.promisor=true']],
  ['a branch of a new remote', '[remote "evil"]\nurl = x\n[branch "f"]\nremote = evil', ['remote.evil.url=x', 'branch.f.remote=evil']],
  ['a branch of an address', '[branch "f"]\nremote = https://evil.example', ['branch.f.remote=https://evil.example']],
  [
    'another upstream of a branch',
    '[branch "main"]\nmerge = refs/heads/evil',
    ['branch.main.merge=refs/heads/main', 'branch.main.merge=refs/heads/evil'],
  ],
  ['a submodule that is not declared', '[submodule "evil"]\nurl = evil', ['submodule.evil.url=evil']],
  ['an identity', '[user]\nname = evil', ['user.name=evil']],
  ['a merge of another ref', '[branch "f"]\nmerge = refs/notes/x', ['branch.f.merge=refs/notes/x']],
  ['a program in a partial clone', '[extensions]\npartialclone = evil', ['extensions.partialclone=evil']],
])('a cell may not set %s', (_, more, left) => {
  expect(changes(before + more)).toEqual({ taken: {}, left })
})

test('a cell may remove the settings of a deleted branch and of a submodule, and no others', () => {
  expect(changes('')).toEqual({
    taken: { 'branch.gone.remote': [], 'branch.gone.description': [], 'submodule.sub.url': [], 'submodule.sub.active': [] },
    left: ['core.bare', 'remote.origin.url', 'branch.main.remote', 'branch.main.merge'],
  })
})

test('settings of declared submodules are written in another way, and what was changed on the host stays', () => {
  expect(changes(`${before}[submodule "declared"]\nactive = true\nurl = https://evil.example`)).toEqual({ taken: {}, left: [] })
  const mine = `${before}[branch "f"]\nremote = .\n`
  expect(changes(`${before}[branch "f"]\nremote = origin\n`, mine)).toEqual({ taken: {}, left: ['branch.f.remote=origin'] })
})

test('nothing is taken from a config that git would refuse', () => {
  expect(changes(`${before}[branch "f"]\nremote = origin\n[`)).toEqual({ taken: {}, left: [] })
})
