import { describe, expect, test } from 'vitest'
import type { AgentWishes, CredentialSource, Installation } from '../../src/adapters/adapter.ts'
import { isInstructionFile } from '../../src/adapters/agent-facts.ts'
import { familyOf } from '../../src/adapters/family.ts'
import { adapterNames, adapters, findAdapter } from '../../src/adapters/find-adapter.ts'
import { PaddockError } from '../../src/base/errors.ts'

const installation: Installation = { program: '/opt/agent/bin/it', mounts: [], pathEntries: [], version: null }
const wishes: AgentWishes = { model: 'local/m', args: ['--flag', 'x y'], baseUrl: null, home: '/home/agent', cwd: '/project "a"' }

/** The adapters of agents that are started directly. `acp` has separate tests. */
const direct = adapters.filter((adapter) => adapter.name !== 'acp')

describe.each(direct.map((adapter) => [adapter.name, adapter] as const))('%s', (name, adapter) => {
  test('starts its program with the extra arguments, and keeps its state in the private home', () => {
    for (const { argv, env, homeFiles } of [adapter.headless(wishes, installation), adapter.interactive(wishes, installation)]) {
      if (name !== 'command') expect(argv[0]).toBe(installation.program)
      expect(argv.join('\0')).toContain('--flag\0x y')
      for (const value of Object.values(env)) if (value.startsWith('/')) expect(value.startsWith('/home/agent')).toBe(true)
      for (const file of homeFiles) {
        expect(file.path.startsWith('/') || file.path.split('/').includes('..')).toBe(false)
        if (file.path.endsWith('.json')) JSON.parse(file.content)
      }
      expect(Object.keys(env).filter((key) => /_(TOKEN|KEY|SECRET)$/.test(key))).toEqual([])
    }
  })

  test('a base URL is taken with and without the version at its end', () => {
    const at = (baseUrl: string): string => JSON.stringify(adapter.headless({ ...wishes, baseUrl }, installation))
    expect(at('http://model.paddock:8080/v1/')).toBe(at('http://model.paddock:8080'))
    if (name !== 'command') expect(at('http://model.paddock:8080')).toContain('http://model.paddock:8080')
  })

  test('hosts are exact names on port 443, said to come from the adapter', () => {
    for (const entry of adapter.hosts) {
      expect(entry).toEqual({ host: expect.stringMatching(/^[a-z0-9.-]+\.[a-z]+$/), ports: [443], internal: false, source: name })
    }
  })

  test('stored logins are taken out of the home of the user into the same place', () => {
    for (const source of adapter.credentials('/home/user')) {
      if (source.kind === 'snapshot') expect(source.hostPath).toBe(`/home/user/${source.homePath}`)
    }
  })
})

describe('the registry', () => {
  test('finds each by name', () => {
    expect(adapterNames).toEqual(['acp', 'claude', 'codex', 'command', 'gemini', 'grok', 'opencode'])
    for (const name of adapterNames) expect(findAdapter(name).name).toBe(name)
    expect(adapters.filter((adapter) => !adapter.tried).map((adapter) => adapter.name)).toEqual(['grok'])
  })

  test.each([
    ['cluade', 'claude'],
    ['Codex', 'codex'],
    ['open-code', 'opencode'],
    ['gem', 'gemini'],
  ])('%s: did you mean %s?', (asked, meant) => {
    expect(() => findAdapter(asked)).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', hint: expect.stringContaining(`Did you mean ${meant}?`) }),
    )
  })

  test('an unlikely name lists them all', () => {
    expect(() => findAdapter('__proto__')).toThrow(expect.objectContaining({ hint: expect.stringContaining('opencode') }))
  })
})

describe('the credential that the cell gets', () => {
  const headless = (name: string, credential: CredentialSource | null, baseUrl: string | null = null) =>
    findAdapter(name).headless({ ...wishes, baseUrl, credential }, installation)

  test('codex: OPENAI_API_KEY needs a provider, a stored login does not', () => {
    const login: CredentialSource = { kind: 'snapshot', hostPath: '/h/.codex/auth.json', homePath: '.codex/auth.json' }
    expect(headless('codex', { kind: 'env', name: 'OPENAI_API_KEY' }).argv.join(' ')).toContain('env_key="OPENAI_API_KEY"')
    expect(headless('codex', login).argv.join(' ')).not.toContain('model_provider')
    expect(headless('codex', login, 'http://x.test').argv.join(' ')).toContain('requires_openai_auth=true')
  })

  test('gemini: the settings name the kind', () => {
    const kind = (credential: CredentialSource | null): unknown => JSON.parse(headless('gemini', credential).homeFiles[0]?.content ?? '{}')
    const selected = (selectedType: string) => ({ security: { auth: { selectedType } } })
    expect(kind({ kind: 'env', name: 'GEMINI_API_KEY' })).toMatchObject(selected('gemini-api-key'))
    expect(kind({ kind: 'env', name: 'GOOGLE_API_KEY' })).toMatchObject(selected('vertex-ai'))
    expect(kind({ kind: 'snapshot', hostPath: '/h', homePath: 'x' })).toMatchObject(selected('oauth-personal'))
  })
})

describe('bad wishes', () => {
  test('opencode wants provider/model', () => {
    const opencode = findAdapter('opencode')
    expect(() => opencode.headless({ ...wishes, model: 'gpt-5' }, installation)).toThrow(PaddockError)
    expect(() => opencode.headless({ ...wishes, model: null, baseUrl: 'http://x.test' }, installation)).toThrow(PaddockError)
    expect(opencode.headless({ ...wishes, model: null }, installation).argv).not.toContain('-m')
  })

  test('command wants a command', () => {
    expect(() => findAdapter('command').headless({ ...wishes, args: [] }, installation)).toThrow(PaddockError)
  })
})

describe('familyOf', () => {
  test.each([
    ['claude', null, 'anthropic'],
    ['codex', 'claude-x', 'openai'],
    ['command', 'claude-x', 'none'],
    ['opencode', null, 'various'],
    ['opencode', 'anthropic/claude-opus', 'anthropic'],
    ['opencode', 'openrouter/openai/gpt-5', 'openai'],
    ['opencode', 'opencode/gemini-3-pro', 'google'],
    ['opencode', 'opencode/big-pickle', 'various'],
  ])('%s with %s: %s', (name, model, family) => {
    expect(familyOf(findAdapter(name), model)).toBe(family)
  })
})

describe('instruction files', () => {
  test.each([
    'CLAUDE.md',
    'claude.MD',
    'a/b/AGENTS.md',
    '.claude/settings.json',
    'x/.cursor/rules/a.mdc',
    '.github/copilot-instructions.md',
    'a/.github/prompts/x.md',
    'opencode.json',
    '.env',
  ])('%s is one', (file) => expect(isInstructionFile(file)).toBe(true))
  test.each(['README.md', 'src/claude.ts', 'AGENTS.md.txt', 'github/prompts/x.md', '.github/workflows/ci.yml', 'docs/agents.md.html'])(
    '%s is not one',
    (file) => expect(isInstructionFile(file)).toBe(false),
  )
})
