import { expect, test } from 'vitest'
import { claude } from '../../src/adapters/claude/adapter.ts'
import { codex } from '../../src/adapters/codex/adapter.ts'
import { gemini } from '../../src/adapters/gemini/adapter.ts'
import { opencode } from '../../src/adapters/opencode/adapter.ts'
import { keyPlaceholder, loginPlaceholders } from '../../src/adapters/placeholders.ts'
import { Secret } from '../../src/secrets/secret.ts'

test('a cell that renews without end has few placeholders made: each of them is searched for', () => {
  const login = { kind: 'subscription', provider: null, facts: { claims: {}, account_id: 'a' } } as const
  const { credentials, files } = loginPlaceholders(codex, [login], { access: () => Promise.reject(new Error('unused')) }, null)
  const [made] = credentials
  const refresh = JSON.parse(files[0]?.content ?? '{}').tokens.refresh_token
  for (let at = 0; at < 100; at++) expect(made?.renewal?.answer(JSON.stringify({ refresh_token: refresh }))).toMatchObject({ status: 200 })
  expect(made?.placeholders().length).toBeLessThanOrEqual(8)
  expect(made?.renewal?.answer('{"refresh_token":"theirs"}')).toMatchObject({ status: 400 })
})

test.each([`sk-ant-api03-${'k'.repeat(95)}`, 'short'])('claude knows the placeholder of an API key without asking: %s', (real) => {
  using secret = Secret.fromText('key', real)
  const { homeFiles } = claude.interactive(
    { model: null, args: [], baseUrl: null, home: '/h', cwd: '/p' },
    { program: 'claude', mounts: [], pathEntries: [], version: null },
  )
  const state = JSON.parse(homeFiles.find((each) => each.path.endsWith('.claude.json'))?.content ?? '{}')
  const made = Array.from({ length: 3 }, () => keyPlaceholder(claude, 'ANTHROPIC_API_KEY', secret, null)?.value ?? '')
  expect(new Set(made).size).toBe(3)
  for (const each of made) {
    // At least 32 letters are random.
    expect(each.length).toBe(Math.max(real.length, 52))
    expect(state.customApiKeyResponses).toEqual({ approved: [each.slice(-20)], rejected: [] })
  }
  expect(keyPlaceholder(opencode, 'ANTHROPIC_API_KEY', secret, null)?.value).not.toContain('paddock')
})

test('a renewal in the form of a web form is answered as well', () => {
  const login = { kind: 'subscription', provider: null, facts: {} } as const
  const { credentials, files } = loginPlaceholders(gemini, [login], { access: () => Promise.reject(new Error('unused')) }, null)
  const { refresh_token } = JSON.parse(files[0]?.content ?? '{}') as { refresh_token: string }
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token }).toString()
  expect(credentials[0]?.renewal?.answer(body)).toMatchObject({ status: 200 })
})
