import { symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inPlay } from '../../src/credentials/scan/in-play.ts'
import { temporary } from '../support/temporary.ts'

const none = { env: {}, credentialNames: [], files: [] }
const values = (given: Partial<typeof none>): string[] =>
  inPlay({ ...none, ...given }).map((each) => {
    using secret = each
    return `${secret.name}=${secret.text()}`
  })

test('variables by their names, by the agent’s own, and by the shape of a token', () => {
  const env = {
    MODE: 'fast',
    PATH_TO: '/usr/share/a-long-path-1',
    LANGUAGE: 'en_GB.UTF-8',
    MY_TOKEN: 'x1',
    OWN: 'y2',
    SESSION: 'aB3dEfGhIjKlMnOpQrStUv',
    EMPTY_KEY: '',
  }
  expect(values({ env, credentialNames: ['OWN'] as never })).toEqual(['MY_TOKEN=x1', 'OWN=y2', 'SESSION=aB3dEfGhIjKlMnOpQrStUv'])
})

test('login files, as opaque strings: tokens, and no dates, addresses or words', async () => {
  await using at = await temporary()
  const login = {
    claudeAiOauth: {
      accessToken: 'sk-ant-oat01-0123456789',
      refreshToken: 'sk-ant-ort01-0123456789',
      scopes: ['user:inference', 'user:profile:something'],
    },
    last_refresh: '2026-11-21T10:00:00.000Z',
    issuer: 'https://auth.host.example/oauth',
    account: 'somebody@host.example',
    short: 'short',
  }
  writeFileSync(at.at('auth.json'), JSON.stringify(login))
  writeFileSync(at.at('hosts.toml'), 'token = "gho_0123456789abcdef0123"\nuser = "somebody"\n')
  symlinkSync(at.at('auth.json'), at.at('link'))
  expect(values({ files: [at.at('auth.json'), at.at('hosts.toml'), at.at('link'), at.at('absent')] as never })).toEqual([
    'auth.json#1=sk-ant-oat01-0123456789',
    'auth.json#2=sk-ant-ort01-0123456789',
    'hosts.toml#1=gho_0123456789abcdef0123',
  ])
})
