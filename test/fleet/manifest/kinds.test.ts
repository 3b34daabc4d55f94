import { expect, test } from 'vitest'
import { listedTools } from '../../../src/fleet/manifest/model.ts'
import { readManifest } from '../../../src/fleet/manifest/read-manifest.ts'

const thinker = {
  name: 'thinker',
  kind: 'model',
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:9000/v1',
  model: 'm',
  keyless: true,
}
const read = (manifest: object) => readManifest(JSON.stringify(manifest), ['claude', 'command'])

test('the least manifest of a model is read', () => {
  expect(read({ ...thinker, tools: ['bash'] })).toMatchObject({ agent: 'model', tools: ['bash'] })
})

test.each([
  [{ ...thinker, provider: undefined }, 'provider is missing: kind is model'],
  [{ ...thinker, model: undefined }, 'model is missing: kind is model'],
  [{ ...thinker, baseUrl: undefined }, 'baseUrl is missing: such as http://127.0.0.1:8080/v1'],
  [{ ...thinker, baseUrl: 'file:///etc' }, 'baseUrl must be a URL of http or https'],
  [{ ...thinker, keyless: undefined }, 'apiKey is missing: vault:NAME, or keyless: true'],
  [{ ...thinker, apiKey: 'vault:x' }, 'keyless does not go with apiKey'],
  [{ ...thinker, apiKey: 'env:X', keyless: undefined }, 'apiKey must be vault:NAME or azure-kv://…'],
  [{ ...thinker, agent: 'claude' }, 'agent has no effect with kind: model'],
  [{ ...thinker, args: ['-x'] }, 'args has no effect with kind: model'],
  [{ ...thinker, tools: ['rm'] }, 'tools[0] must be bash, file_read'],
  [{ ...thinker, tools: ['bash', 'ask bash'] }, 'tools[1] is listed twice'],
  [{ ...thinker, tools: ['sums/add'] }, 'tools[0] is a tool of sums, which is not among mcp'],
  [{ ...thinker, mcp: { sums: { command: ['x'] } } }, 'mcp.sums has no effect: tools lists none of its tools, such as sums/*'],
  [{ ...thinker, mcp: { sums: {} } }, 'mcp.sums must be { command: [PROGRAM, …] } or { url: URL }'],
  [{ ...thinker, tools: ['delegate'] }, 'delegates is missing: the tool delegate gives jobs to the agents that it names'],
  [{ ...thinker, fallbacks: [{ provider: 'openai', model: 'x' }] }, 'fallbacks[0].apiKey is missing'],
  [{ name: 'a' }, 'agent is missing: known are claude, command'],
  [{ name: 'a', agent: 'claude', provider: 'openai' }, 'provider has no effect without kind: model'],
  [{ name: 'a', agent: 'claude', tools: ['bash'] }, 'tools[0] is a tool of kind: model; a CLI brings its own'],
  [{ name: 'a', agent: 'claude', tools: ['ask'], egress: { policy: 'off' } }, 'tools cannot be reached with egress.policy: off'],
])('%j is refused with its key and the fix', (manifest, message) => {
  expect(() => read(manifest)).toThrow(message)
})

test('a lease leaves a part of the tools, and what is held stays held', () => {
  const tools = ['bash', 'ask http', 'ask sums/*', 'files/read', 'files/write']
  const names = (only: readonly string[] | null) => listedTools(tools, only).map(({ name, isHeld }) => `${isHeld ? 'ask ' : ''}${name}`)
  expect(names(null)).toEqual(tools)
  expect(names(['http', 'sums/add', 'files/*'])).toEqual(['ask http', 'ask sums/add', 'files/read', 'files/write'])
  expect(names(['ask http', 'other/x', 'file_read', 'sum/add'])).toEqual([])
  expect(names([])).toEqual([])
})
