import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { setCredentialsAside } from '../../ci/checkout-credentials.ts'
import { temporary } from '../support/temporary.ts'

const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }

test('credentials that a runner wrote into the checkout are gone during the job, and back after it', async () => {
  await using at = await temporary()
  const git = (...args: readonly string[]): string => execFileSync('git', ['-C', at.path, ...args], { env, encoding: 'utf8' })
  git('init', '--quiet')
  git('config', 'http.https://forge.example/.extraheader', 'AUTHORIZATION: basic c2VjcmV0')
  git('remote', 'add', 'origin', 'https://gitlab-ci-token:job-token-1@gitlab.example/a/b.git')
  git('config', '--add', 'remote.origin.url', 'ssh://git@gitlab.example/a/b.git')
  const before = git('config', '--local', '--list')
  const { keys, restore } = setCredentialsAside(at.path, env)
  const during = readFileSync(at.at('.git/config'), 'utf8')
  expect(keys).toEqual(['http.https://forge.example/.extraheader', 'remote.origin.url'])
  expect(during).not.toMatch(/c2VjcmV0|job-token/)
  expect(git('remote', 'get-url', '--all', 'origin').trim().split('\n')).toEqual([
    'https://gitlab.example/a/b.git',
    'ssh://git@gitlab.example/a/b.git',
  ])
  restore()
  expect(git('config', '--local', '--list').split('\n').toSorted()).toEqual(before.split('\n').toSorted())
})

test('outside of a repository, there is nothing to remove', async () => {
  await using at = await temporary()
  expect(setCredentialsAside(at.path, env).keys).toEqual([])
})
