import { expect, test } from 'vitest'
import { carriedSettings } from '../../src/git/carried-settings.ts'

const carried = (aliases: Readonly<Record<string, string>>): readonly string[] => {
  const user = Object.entries(aliases).map(([name, value]) => ({ key: `alias.${name}`, value }))
  const { settings } = carriedSettings(user, [], () => false)
  return settings.flatMap(({ key }) => (key.startsWith('alias.') ? [key.slice('alias.'.length)] : []))
}

test('aliases of local commands are carried', () => {
  const aliases = {
    st: 'status --short',
    s: 'st',
    nb: 'switch -c',
    quiet: '--no-pager log -n 3',
    lg: `log --graph --pretty=format:'%h = %s' --date=short`,
    last: 'log "--format=%h %s" -1 HEAD',
  }
  expect(carried(aliases)).toEqual(Object.keys(aliases))
})

test.each([
  'clone --config http.extraHeader=secret',
  'clone -c http.extraHeader=secret',
  'send-email --smtp-user=me --smtp-pass=secret',
  'send-email --smtp-pass secret',
  'push --push-option=ci.variable=TOKEN=secret',
  'push --push-option secret',
  '"push" -o secret',
  'pu\\sh -o secret',
  'fetch secret',
  'pull secret',
  'remote add x secret',
  'submodule add secret',
  'credential-store --file secret',
  'config http.extraHeader secret',
  'imap-send secret',
  'company-tool --token secret',
  '-c http.extraHeader=secret log',
  '--config-env http.extraHeader=secret log',
  '--exec-path=secret log',
  '!curl -H secret',
  ' !curl -H secret',
  'log https://secret',
  'log secret@host',
  'log TOKEN=secret',
  'log --author=secret',
  `log --grep '--pretty=x' 'TOKEN=secret'`,
  'rebase -x "curl -H secret"',
  'rebase -ix "curl -H secret"',
  'rebase --ex secret',
  'other --token secret',
  `log 'secret`,
  'self',
  '--no-pager',
])('an alias that may contain a program, an address or a secret is not carried: %s', (value) => {
  expect(carried({ x: value, other: 'push', self: 'self' })).not.toContain('x')
})
