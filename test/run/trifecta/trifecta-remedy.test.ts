import { expect, it } from 'vitest'
import { findAdapter } from '../../../src/adapters/find-adapter.ts'
import { rerunHint } from '../../../src/cli/run-command-text.ts'
import { readRequest } from '../../../src/config/request/read-request.ts'
import type { RequestInput } from '../../../src/config/request/request-schema.ts'
import { trifectaRemedy } from '../../../src/run/trifecta/trifecta-remedy.ts'
import { untrustedSources } from '../../../src/run/trifecta/untrusted-content.ts'

function remedyOf(agent: string, input: RequestInput = {}, said: readonly string[] = [], servers: readonly string[] = []) {
  const adapter = findAdapter(agent)
  const request = readRequest({ agent, ...(agent === 'command' ? { command: ['true'] } : {}) }, input, (key) => ({
    place: key,
    from: 'caller',
  }))
  return trifectaRemedy(request, adapter, untrustedSources(request, adapter, { now: 0, servers }, said))
}

it.each([
  ['claude', {}, ['--no-web-tools']],
  ['codex', {}, ['--no-web-tools']],
  ['gemini', { baseUrl: 'http://models.test:80', egress: { allow: ['models.test:80=127.0.0.1:80'] } }, ['--no-web-tools']],
  ['claude', { egress: { policy: 'public' } }, ['--no-web-tools', '--private']],
  ['claude', { egress: { presets: ['npm'] } }, ['--no-web-tools', '--private']],
  ['claude', { webTools: false, egress: { presets: ['npm'] } }, ['--private']],
  ['opencode', { egress: { ask: ['*'] } }, ['--private']],
  ['command', { egress: { policy: 'open' } }, ['--egress', 'off']],
  ['command', { egress: { presets: ['npm'] } }, ['--egress', 'off']],
] as const)('%s with %j lacks a part with %j', (agent, input, expected) => {
  expect(remedyOf(agent, input as RequestInput)?.add).toEqual(expected)
})

it('no option removes what the user named, MCP servers, or web tools without a switch', () => {
  expect(remedyOf('claude', {}, ['an issue'])).toBeNull()
  expect(remedyOf('claude', {}, [], ['jira'])).toBeNull()
  expect(remedyOf('grok')).toBeNull()
  // The argument would bring it back.
  expect(remedyOf('codex', { args: ['-c', 'web_search="live"'] })).toBeNull()
  // Its repository brings a host that --private excludes.
  expect(remedyOf('claude', { repos: ['git.example/o/r'], egress: { presets: ['npm'] } })).toBeNull()
})

it('the command is the same without the options that the change replaces, and without values of variables', () => {
  const remedy = remedyOf('claude', { baseUrl: 'http://m.test', egress: { policy: 'public' } })
  if (remedy === null) throw new Error('no remedy')
  const given = ['--egress', 'public', '--allow=a.test', '--allow', 'm.test:80=127.0.0.1:80', '--env', 'KEY=worth', '--prompt', "it's"]
  expect(rerunHint(given, ['claude'], remedy)).toBe(
    "Run: paddock run --allow m.test:80=127.0.0.1:80 --env KEY --prompt 'it'\\''s' --no-web-tools --private claude (first export KEY with the same value as in this run)",
  )
})
