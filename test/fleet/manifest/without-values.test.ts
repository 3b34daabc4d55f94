import { expect, test } from 'vitest'
import { manifestSchema } from '../../../src/fleet/manifest/manifest-schema.ts'
import { withoutValues } from '../../../src/fleet/manifest/without-values.ts'

const url = 'https://user:pass@example.org:8443/path?key=1#part'

test('values are hidden, names stay, and what remains is a manifest', () => {
  const manifest = manifestSchema.parse({
    name: 'docs',
    agent: 'command',
    command: ['server', '-v', '--verbose', '--token=x', '-px', 'word', '--', 'key=value', '--with.dot', ''],
    args: ['--a=b=c'],
    baseUrl: url,
    env: ['A=b=c', 'EMPTY='],
    fallbacks: [
      { provider: 'openai', model: 'm', apiKey: 'vault:KEY', baseUrl: url },
      { provider: 'openai', model: 'm' },
    ],
    mcp: { here: { command: ['npx', 'word'], env: { KEY: 'x' } }, there: { url, headers: { 'X-Key': 'x' } }, bare: { url } },
    secrets: ['KEY=vault:NAME@example.org'],
    notes: 'For people.',
  })
  const shown = withoutValues(manifest)
  expect(shown).toEqual({
    ...manifest,
    command: ['server', '-v', '--verbose', '--token=…', '-p…', '…', '…', '…', '…', '…'],
    args: ['--a=…'],
    baseUrl: 'https://example.org:8443/…',
    env: ['A=…', 'EMPTY=…'],
    fallbacks: [
      { provider: 'openai', model: 'm', apiKey: 'vault:KEY', baseUrl: 'https://example.org:8443/…' },
      { provider: 'openai', model: 'm' },
    ],
    mcp: {
      here: { command: ['npx', '…'], env: { KEY: '…' } },
      there: { url: 'https://example.org:8443/…', headers: { 'X-Key': '…' } },
      bare: { url: 'https://example.org:8443/…' },
    },
  })
  expect(manifestSchema.parse(shown)).toEqual(shown)
})

test('a manifest without values stays as it is', () => {
  const manifest = manifestSchema.parse({ name: 'docs', agent: 'claude' })
  expect(withoutValues(manifest)).toEqual(manifest)
})
