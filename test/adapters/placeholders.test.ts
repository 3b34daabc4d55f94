import { expect, test } from 'vitest'
import { codex } from '../../src/adapters/codex/adapter.ts'
import { gemini } from '../../src/adapters/gemini/adapter.ts'
import { loginPlaceholders } from '../../src/adapters/placeholders.ts'

test('a cell that renews without end has few placeholders made: each of them is searched for', () => {
  const login = { kind: 'subscription', provider: null, facts: { claims: {}, account_id: 'a' } } as const
  const { credentials, files } = loginPlaceholders(codex, [login], { access: () => Promise.reject(new Error('unused')) }, null)
  const [made] = credentials
  const refresh = JSON.parse(files[0]?.content ?? '{}').tokens.refresh_token
  for (let at = 0; at < 100; at++) expect(made?.renewal?.answer(JSON.stringify({ refresh_token: refresh }))).toMatchObject({ status: 200 })
  expect(made?.placeholders().length).toBeLessThanOrEqual(8)
  expect(made?.renewal?.answer('{"refresh_token":"theirs"}')).toMatchObject({ status: 400 })
})

test('a renewal in the form of a web form is answered as well', () => {
  const login = { kind: 'subscription', provider: null, facts: {} } as const
  const { credentials, files } = loginPlaceholders(gemini, [login], { access: () => Promise.reject(new Error('unused')) }, null)
  const { refresh_token } = JSON.parse(files[0]?.content ?? '{}') as { refresh_token: string }
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token }).toString()
  expect(credentials[0]?.renewal?.answer(body)).toMatchObject({ status: 200 })
})
