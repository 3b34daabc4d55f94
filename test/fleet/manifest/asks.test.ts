import { describe, expect, test } from 'vitest'
import { adapterNames, adapters, vendorAdapters } from '../../../src/adapters/find-adapter.ts'
import { credentialModes } from '../../../src/credentials/credential-way.ts'
import * as asks from '../../../src/fleet/manifest/manifest-asks.ts'
import { type Manifest, manifestSchema } from '../../../src/fleet/manifest/manifest-schema.ts'
import { askedAgent } from '../../../src/run/run-asks.ts'

const agents = adapters.map(askedAgent).map(({ name, loginVariables }) => ({ name, loginVariables: loginVariables?.slice() ?? null }))
const manifestAsks = (manifest: Manifest) => asks.manifestAsks(manifest, agents)
const newAsks = (manifest: Manifest, approved: Manifest | null, allowed: readonly string[]) =>
  asks.newAsks(manifest, { approved, allowed }, agents)

const manifest = (more: Record<string, unknown>): Manifest => manifestSchema.parse({ name: 'a', agent: 'claude', ...more })
const model = (more: Record<string, unknown>): Manifest =>
  manifestSchema.parse({ name: 'a', kind: 'model', provider: 'openai', model: 'm', ...more })

describe('what the manifest of an agent asks for', () => {
  test.each(adapterNames)('a real credential of %s in its cell, and no placeholder', (agent) => {
    const command = ['acp', 'command'].includes(agent) ? { command: ['x'] } : {}
    for (const credentials of [...credentialModes, 'volume:other']) {
      const asked = manifestAsks(manifest({ agent, ...command, credentials }))
      const isInCell = credentials === 'snapshot' || credentials.startsWith('volume')
      const whose = agent === 'acp' ? 'acp x' : agent
      expect(asked, credentials).toEqual(isInCell ? [`credentials: ${whose} ${credentials}`] : [])
    }
    expect(manifestAsks(manifest({ agent, ...command }))).toEqual([])
  })

  test.each([
    ['a host for its login', { baseUrl: 'https://own.example' }, 'baseUrl: claude https://own.example'],
    ['a variable beside its login', { env: ['LD_PRELOAD=/x'] }, 'env: claude LD_PRELOAD=/x'],
    ['a secret', { secrets: ['T=vault:t@h.example'] }, 'secrets: T=vault:t@h.example'],
    ['a repository', { repos: ['github.com/o/r=write'] }, 'repos: github.com/o/r=write'],
    ['every address', { egress: { policy: 'open' } }, 'egress.policy: open'],
    ['every public address', { egress: { policy: 'public' } }, 'egress.policy: public'],
    ['the files of the user', { posture: 'L1' }, 'posture: L1'],
    ['an address of its choice', { egress: { allow: ['h.example:1=10.0.0.1:1'] } }, 'egress: h.example:1=10.0.0.1:1'],
  ])('%s', (_, more, ask) => {
    expect(manifestAsks(manifest(more))).toEqual([ask])
    expect(newAsks(manifest(more), null, [ask])).toEqual([])
    expect(newAsks(manifest(more), manifest(more), [])).toEqual([])
    expect(newAsks(manifest(more), manifest({}), [])).toEqual([ask])
  })

  test('nothing for hosts by name, arguments, tools and limits', () => {
    const more = {
      egress: { allow: ['h.example'] },
      args: ['--x'],
      limits: { memory: '1GiB' },
      posture: 'L2',
      env: ['TZ=UTC'],
      labels: ['l'],
    }
    expect(manifestAsks(manifest(more))).toEqual([])
  })

  test.each([
    ['the files of the user', { posture: 'L1' }],
    ['a real credential', { credentials: 'snapshot' }],
  ])('every host to which a cell could send what it holds: %s', (_, holds) => {
    const reaches = {
      allow: ['h.example'],
      ask: ['i.example'],
      inspect: ['j.example'],
      presets: ['npm'],
      rules: ['deny POST k.example/**'],
    }
    const hosts = ['allow: h.example', 'ask: i.example', 'inspect: j.example', 'presets: npm', 'rules: deny POST k.example/**']
    const asked = hosts.map((each) => `egress.${each}`)
    expect(manifestAsks(manifest({ ...holds, egress: reaches }))).toEqual([...manifestAsks(manifest(holds)), ...asked])
    expect(newAsks(manifest({ ...holds, egress: reaches }), manifest(holds), [])).toEqual(asked)
    expect(newAsks(manifest(holds), manifest({ ...holds, egress: reaches }), [])).toEqual([])
  })

  test('the key of each endpoint of a model, with its host', () => {
    const fallbacks = [{ provider: 'anthropic', model: 'n', apiKey: 'vault:other' }]
    expect(manifestAsks(model({ apiKey: 'vault:k', baseUrl: 'http://10.0.0.1/v1', fallbacks }))).toEqual([
      'apiKey: vault:k for http://10.0.0.1/v1',
      'apiKey: vault:other for the endpoint of anthropic',
    ])
    expect(manifestAsks(model({ keyless: true, secrets: ['T=vault:t@h.example'] }))).toEqual(['secrets: T=vault:t@h.example'])
  })

  test('each endpoint of a model without a key, because the host process connects to it, also at an internal address', () => {
    const fallbacks = [{ provider: 'openai', model: 'n', keyless: true, baseUrl: 'http://127.0.0.1:9/v1' }]
    expect(manifestAsks(model({ keyless: true, baseUrl: 'http://10.0.0.1/v1', fallbacks }))).toEqual([
      'baseUrl: http://10.0.0.1/v1',
      'baseUrl: http://127.0.0.1:9/v1',
    ])
  })

  test('a variable beside the login of a CLI that speaks ACP, and none beside its own key', () => {
    const over = (program: string, env: readonly string[]) => manifestAsks(manifest({ agent: 'acp', command: [program, '--acp'], env }))
    expect(vendorAdapters.filter(({ name, program }) => name !== program)).toEqual([])
    expect(over('/usr/bin/gemini', ['LD_PRELOAD=/x'])).toEqual([])
    expect(over('gemini', ['LD_PRELOAD=/x'])).toEqual(['env: acp gemini LD_PRELOAD=/x'])
    expect(over('other', ['LD_PRELOAD=/x'])).toEqual([])
    expect(manifestAsks(manifest({ env: ['ANTHROPIC_API_KEY=k', 'LD_PRELOAD=/x'] }))).toEqual([])
  })

  test('the login of one agent is not that of another', () => {
    const codex = manifest({ agent: 'codex', credentials: 'snapshot' })
    expect(newAsks(codex, manifest({ credentials: 'snapshot' }), [])).toEqual(['credentials: codex snapshot'])
  })
})
