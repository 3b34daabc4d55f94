import { expect, test } from 'vitest'
import { type LoginUse, loginUse } from '../../web/pages/credentials/uses-login.ts'

const variables = ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN']
const useOf = (more: Readonly<Record<string, unknown>>, known: readonly string[] | null = variables): LoginUse =>
  loginUse({ name: 'a', agent: 'claude', ...more } as never, known)

test('an agent needs the login of its CLI unless its manifest gives it a key, an endpoint, another login or none', () => {
  expect(useOf({})).toBe('must')
  expect(useOf({ env: ['LANG=C'], credentials: 'snapshot' })).toBe('must')
  expect(useOf({ baseUrl: 'http://127.0.0.1:1' })).toBe('may')
  for (const more of [
    { env: ['ANTHROPIC_API_KEY=x'] },
    { secrets: ['ANTHROPIC_API_KEY=vault:key'] },
    { credentials: 'none' },
    { credentials: 'volume:work' },
    { kind: 'model', agent: 'model', keyless: true },
  ])
    expect(useOf(more), JSON.stringify(more)).toBe('never')
  expect(useOf({ agent: 'command' }, null)).toBe('never')
})
