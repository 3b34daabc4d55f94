import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { userSettings } from '../../src/git/effective-settings.ts'
import { gitConfigText } from '../../src/git/write-config.ts'

const root = realpathSync(mkdtempSync('/tmp/paddock-includes-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const home = path.join(root, 'home')
const project = path.join(home, 'work/a[1]/repo')
mkdirSync(project, { recursive: true })
symlinkSync(path.join(home, 'work'), path.join(home, 'link'))
const base = { HOME: home, PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1' }
const git = (args: readonly string[], env: Record<string, string> = {}): string =>
  execFileSync('git', args, { cwd: project, env: { ...base, ...env }, encoding: 'utf8' })
git(['init', '-q', '-b', 'feat/x'])
git(['remote', 'add', 'origin', 'https://git.example/team/repo.git'])
writeFileSync(path.join(home, 'included'), '[t]\n\tincluded = yes\n')

/** Returns the last value of a key, according to git and according to Paddock. */
function both(config: string, env: Record<string, string> = {}): readonly (string | null | undefined)[] {
  writeFileSync(path.join(home, '.gitconfig'), config)
  const all = git(['config', '--list', '-z', '--includes'], env).split('\0')
  const line = all.findLast((each) => each.startsWith('t.included'))
  const place = { git: path.join(project, '.git'), remotes: ['https://git.example/team/repo.git'] }
  const ours = userSettings({ home, name: 'x' }, { ...base, ...env }, place)
  return [line?.split('\n')[1], ours.findLast((each) => each.key === 't.included')?.value]
}

describe('an include applies as it does for git', () => {
  const conditions = [
    'gitdir:~/work/',
    'gitdir:~/link/',
    'gitdir:~/other/',
    'gitdir:repo/',
    'gitdir:rep/',
    'gitdir:re*/',
    'gitdir:~/*/repo/',
    'gitdir:~/**/repo/',
    'gitdir:~/work/**',
    'gitdir:~/work/a\\\\[1\\\\]/repo/.git',
    'gitdir:~/work/a[[]1]/',
    'gitdir:~/work/a[!x]1]/',
    'gitdir:~/WORK/',
    'gitdir/i:~/WORK/',
    'gitdir:./work/',
    'gitdir:.',
    'gitdir:**',
    'onbranch:feat/',
    'onbranch:feat/*',
    'onbranch:feat',
    'onbranch:**',
    'hasconfig:remote.*.url:https://git.example/**',
    'hasconfig:remote.*.url:https://git.example/*',
    'unknown:x',
  ]
  test.each(conditions)('%s', (condition) => {
    const [theirs, ours] = both(`[includeIf "${condition}"]\n\tpath = included\n`)
    expect(ours).toBe(theirs)
  })
  test('at its place among the other settings', () => {
    expect(both('[t]\n\tincluded = no\n[include]\n\tpath = included\n')).toEqual(['yes', 'yes'])
    expect(both('[include]\n\tpath = ~/included\n[t]\n\tincluded = no\n')).toEqual(['no', 'no'])
  })
  test('and variables take precedence or name other files', () => {
    const variables = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'T.Included', GIT_CONFIG_VALUE_0: 'variable' }
    expect(both('[t]\n\tincluded = no\n', variables)).toEqual(['variable', 'variable'])
    expect(both('[t]\n\tincluded = no\n', { GIT_CONFIG_GLOBAL: path.join(home, 'included') })).toEqual(['yes', 'yes'])
    expect(both('[t]\n\tincluded = no\n', { GIT_CONFIG_GLOBAL: '' })).toEqual([undefined, undefined])
  })
})

test('git reads written settings back unchanged', () => {
  const settings = [
    { key: 'diff.a "b\\ c.d.xfuncname', value: '^\\s*"x";\t#y\n!z ' },
    { key: 'pull.rebase', value: null },
    { key: 'alias.s', value: 'status ; #"' },
  ]
  const file = path.join(root, 'written')
  writeFileSync(file, gitConfigText(settings))
  const read = git(['config', '-f', file, '--list', '-z'])
  expect(read.split('\0').slice(0, -1)).toEqual(settings.map(({ key, value }) => (value === null ? key : `${key}\n${value}`)))
})
