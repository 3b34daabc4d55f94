import { expect, test } from 'vitest'
import { acpOf } from '../../../src/adapters/acp/adapter.ts'
import type { AgentWishes, Installation } from '../../../src/adapters/adapter.ts'
import { adapterFor, findAdapter, vendorAdapters } from '../../../src/adapters/find-adapter.ts'

const installation: Installation = { program: '/opt/agent/bin/it', mounts: [], pathEntries: [], version: null }
const wishesOf = (args: readonly string[], more: Partial<AgentWishes> = {}): AgentWishes => ({
  ...{ model: null, args, baseUrl: null, home: '/home/agent', cwd: '/project' },
  ...more,
})
/** Returns the arguments of the agent, after the bridge and its order. */
const wordsOf = (argv: readonly string[]): readonly string[] => argv.slice(3)

test.each(vendorAdapters.map((each) => [each.program, each] as const))(
  '%s keeps its credentials, hosts and settings over ACP',
  (program, known) => {
    const words = [program, '--acp']
    const adapter = adapterFor('acp', words)
    expect(adapter).toMatchObject({ name: known.name, family: known.family, hosts: known.hosts, placeholders: known.placeholders })
    expect(adapter.credentials('/home/x')).toEqual(known.credentials('/home/x'))
    const wishes = wishesOf(words, { baseUrl: 'http://models.test:8080', model: 'local/m' })
    const [over, direct] = [adapter.headless(wishes, installation), known.headless({ ...wishes, args: [] }, installation)]
    expect([over.env, over.homeFiles]).toEqual([direct.env, direct.homeFiles])
    expect(wordsOf(over.argv)).toEqual(['/opt/agent/bin/it', '--acp'])
    expect(JSON.parse(over.argv[2] ?? '')).toEqual({ cwd: '/project', model: 'local/m', mcp: [] })
    expect(adapter.sessions).toBeUndefined()
    expect(() => adapter.interactive(wishes, installation)).toThrow('has no terminal')
  },
)

test('a program that a contest brings is never taken for one that Paddock knows, whatever its name is', async () => {
  for (const program of ['/agent/claude', './claude', 'bin/gemini']) {
    const adapter = acpOf([program, '--acp'], vendorAdapters)
    expect(adapter).toMatchObject({ name: 'acp', hosts: [], placeholders: { keys: {} } })
    expect(adapter.credentials('/home/x')).toEqual([])
    const found = await adapter.locate(['/usr/bin'])
    expect(wordsOf(adapter.headless(wishesOf([program, '--acp']), found ?? installation).argv)).toEqual([program, '--acp'])
  }
})

test('a program that is not known is the one of the user’s PATH, or else one of the cell', async () => {
  const adapter = adapterFor('acp', ['perl', '-e', '1'])
  const found = await adapter.locate(['/nowhere', '/usr/bin'])
  expect(wordsOf(adapter.headless(wishesOf(['perl', '-e', '1']), found ?? installation).argv)).toEqual(['/usr/bin/perl', '-e', '1'])
  const unknown = adapterFor('acp', ['no-such-program'])
  const inCell = await unknown.locate(['/usr/bin'])
  expect(wordsOf(unknown.headless(wishesOf(['no-such-program']), inCell ?? installation).argv)).toEqual(['no-such-program'])
  expect(await adapterFor('acp', ['claude']).locate(['/nowhere'])).toBeNull()
})

test('a missing command and a base URL for an unknown agent are refused', () => {
  expect(() => findAdapter('acp').headless(wishesOf([]), installation)).toThrow('has no command')
  expect(() => findAdapter('acp').headless(wishesOf(['x'], { baseUrl: 'http://x.test' }), installation)).toThrow('base URL')
  expect(adapterFor('codex', ['claude']).name).toBe('codex')
})
