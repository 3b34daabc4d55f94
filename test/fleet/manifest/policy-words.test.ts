import { expect, test } from 'vitest'
import { policyWords } from '../../../src/fleet/manifest/policy-words.ts'
import { readManifest } from '../../../src/fleet/manifest/read-manifest.ts'

const words = (yaml: string) => {
  const policy = policyWords(readManifest(yaml, ['command', 'claude']))
  const texts = (key: keyof typeof policy) => policy[key].map(({ text }) => text)
  return { may: texts('may'), mustAsk: texts('mustAsk'), mayNot: texts('mayNot') }
}

test('a plain agent', () => {
  expect(words('name: docs\nagent: claude\n')).toEqual({
    may: ['reach what claude itself needs', 'read and change a directory of its own'],
    mustAsk: [],
    mayNot: [
      'reach any other host',
      'reach an address of your own network or this machine',
      'see your home directory, other projects or other agents',
      'read the login of claude',
      'use more than the limits of this machine for cells',
    ],
  })
})

test('an address of your network that an entry pins is not among those that it may not reach', () => {
  for (const egress of ['allow: [m.test:80=127.0.0.1:18080]', 'inspect: [m.test:443=10.0.0.1:443]']) {
    const { mayNot } = words(`name: a\nagent: claude\negress: { ${egress} }\n`)
    expect(mayNot, egress).toContain('reach any other address of your own network or this machine')
    expect(mayNot, egress).not.toContain('reach an address of your own network or this machine')
  }
})

test('one without a network', () => {
  const { may, mayNot } = words('name: a\nagent: command\ncommand: [sh]\negress: { policy: off }\n')
  expect(mayNot[0]).toBe('reach anything over a network')
  expect(may).toEqual(['read and change a directory of its own'])
})

test('what it may reach, must ask for, and may use', () => {
  const { may, mustAsk, mayNot } = words(`
name: a
agent: claude
credentials: snapshot
workspace: { copy: /projects/docs }
repos: [github.com/o/r=write]
secrets: [KEY=vault:key@api.test]
egress: { allow: [b.test], ask: ['*'], ruleSets: [publish, git-push=ask], inspect: [c.test], rules: [deny POST c.test/x] }
limits: { memory: 4GiB, timeout: 1h }
budgets: { day: { usd: 5 } }
parallel: 2
tools: [ask]
`)
  expect(may).toEqual([
    'reach what claude itself needs',
    'reach b.test',
    'reach c.test',
    'work with the repository github.com/o/r, also pushing',
    'read and change a copy of /projects/docs',
    'use ask',
    'read the login of claude',
    'use the secret KEY at api.test',
    'use $5 a day',
    'work on 2 jobs at once',
  ])
  expect(mustAsk).toEqual(['to reach any other host', 'for what git-push covers'])
  expect(mayNot).toContain('do what publish covers')
  expect(mayNot).toContain('send requests like POST c.test/x')
  expect(mayNot).toContain('use more than 4GiB of memory, 1h for a job')
  expect(mayNot).not.toContain('read the login of claude')
  expect(mayNot).not.toContain('reach any other host')
})

test('nothing says that an open network is closed', () => {
  const { may, mayNot } = words('name: a\nagent: claude\negress: { policy: open }\n')
  expect(may).toContain('reach every address but those of its own cell, also of your network')
  expect(mayNot.filter((each) => each.startsWith('reach'))).toEqual([])
})

test('an agent of L1 reads the files of the user, and only a known level is a level', () => {
  const { may, mayNot } = words('name: docs\nagent: claude\nposture: L1\n')
  expect(may).toContain('read your home directory and other files of this machine')
  expect(mayNot).toContain('change your other files, or read your credentials')
  expect(mayNot.join()).not.toContain('see your home directory')
  expect(() => words('name: docs\nagent: claude\nposture: L9\n')).toThrow('line 3: posture must be one of L0, L1, L2, L3, L4, L5')
})
