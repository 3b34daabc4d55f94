import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { gitLogins } from '../../../src/cell/plan/absent-places/git-logins.ts'
import { gitUser } from '../../../src/git/git-settings.ts'
import { temporary } from '../../support/temporary.ts'

const remote = (host: string): string => `[remote "origin"]\n\turl = https://me:a-real-secret@${host}/x.git\n`
const clean = (host: string): string => `[remote "origin"]\n\turl = https://${host}/x.git\n`

function madeHome(root: string) {
  const at = (file: string): string => path.join(root, file)
  const put = (file: string, text = ''): void => {
    mkdirSync(path.dirname(at(file)), { recursive: true })
    writeFileSync(at(file), text)
  }
  const repository = (git: string, config: string): void => {
    for (const each of ['HEAD', 'objects/x']) put(`${git}/${each}`)
    put(`${git}/config`, config)
  }
  const look = (absent: readonly string[] = []) =>
    gitLogins(root, gitUser({ home: root, name: 'me' }, { GIT_CONFIG_SYSTEM: at('none') }), absent.map(at))
  return { at, put, repository, look }
}

it('the configurations of repositories are shown without their logins, also bare ones, submodules, work trees and linked ones', async () => {
  await using root = await temporary()
  const { at, put, repository, look } = madeHome(root.path)
  repository('work/one/.git', remote('one.test'))
  repository('work/one/.git/modules/deep/sub', remote('sub.test'))
  put('work/one/.git/worktrees/w/config.worktree', remote('tree.test'))
  for (const each of ['HEAD', 'commondir']) put(`work/one/.git/worktrees/w/${each}`)
  repository('bare.git', remote('bare.test'))
  repository('.dotfiles/.git', remote('dot.test'))
  repository('clean/.git', clean('clean.test'))
  repository('hidden/.git', remote('hidden.test'))
  repository('node_modules/x/.git', remote('packages.test'))
  mkdirSync(at('linked'))
  symlinkSync('../bare.git', at('linked/.git'))
  symlinkSync('..', at('work/up'))
  const { shown, hidden } = look(['hidden'])
  expect(shown.map((each) => path.relative(root.path, each.path)).toSorted()).toEqual([
    '.dotfiles/.git/config',
    'bare.git/config',
    'work/one/.git/config',
    'work/one/.git/modules/deep/sub/config',
    'work/one/.git/worktrees/w/config.worktree',
  ])
  expect(shown.find((each) => each.path === at('work/one/.git/config'))?.content).toBe(clean('one.test'))
  expect(hidden).toEqual([])
})

it('files that configurations include, on any condition and in each other, lose their logins, and files of logins are hidden', async () => {
  await using root = await temporary()
  const { at, put, repository, look } = madeHome(root.path)
  put('.gitconfig', '[include]\n\tpath = dots/first.inc\n[includeIf "gitdir:/nowhere/"]\n\tpath = ~/dots/work.inc\n')
  put('dots/first.inc', '[include]\n\tpath = second.inc\n\tpath = first.inc\n[http]\n\tcookieFile = ~/dots/cookies\n')
  put('dots/second.inc', '[http "https://x.test"]\n\textraHeader = Authorization: Basic bWU6YS1yZWFsLXNlY3JldA==\n')
  put('dots/work.inc', remote('work.test'))
  put('dots/plain.inc', '[alias]\n\tst = status\n')
  repository('one/.git', '[include]\n\tpath = ../../dots/repository.inc\n[credential]\n\thelper = store --file ~/dots/stored\n')
  put('dots/repository.inc', '[include]\n\tpath = plain.inc\n[http]\n\tsslKey = ~/missing\n[user]\n\tpassword = a-real-secret\n')
  for (const each of ['dots/cookies', 'dots/stored']) put(each, 'a-real-secret')
  const { shown, hidden } = look()
  expect(shown.map((each) => path.relative(root.path, each.path)).toSorted()).toEqual([
    'dots/repository.inc',
    'dots/second.inc',
    'dots/work.inc',
  ])
  expect(JSON.stringify(shown)).not.toMatch(/a-real-secret|bWU6/)
  expect(hidden.toSorted()).toEqual(['dots/cookies', 'dots/stored'].map(at))
})

it('a configuration that is too large to be read is hidden, and one that is not a file left alone', async () => {
  await using root = await temporary()
  const { at, put, repository, look } = madeHome(root.path)
  repository('large/.git', `# ${'x'.repeat(2 ** 20)}\n${remote('large.test')}`)
  put('fifo/.git/HEAD')
  put('fifo/.git/objects/x')
  execFileSync('mkfifo', [at('fifo/.git/config')])
  expect(look()).toEqual({ shown: [], hidden: [at('large/.git/config')] })
})

it('the search of a home is bounded, nearest first', async () => {
  await using root = await temporary()
  const { at, repository, look } = madeHome(root.path)
  repository('near/.git', remote('near.test'))
  repository('a/b/c/d/far/.git', remote('far.test'))
  for (let n = 0; n < 2000; n++) mkdirSync(at(`many/${n}`), { recursive: true })
  expect(look().shown.map((each) => each.path)).toEqual([at('near/.git/config')])
})
