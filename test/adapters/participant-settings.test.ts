import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import type { AgentWishes } from '../../src/adapters/adapter.ts'
import { adapterFor } from '../../src/adapters/find-adapter.ts'
import type { McpServer } from '../../src/adapters/mcp-server.ts'

const servers: readonly McpServer[] = [
  { name: 'notes', command: ['node', '/agent/notes.mjs', 'a "b"'], env: { DEPTH: '3' } },
  { name: 'docs', url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer $TOKEN', 'X-Kind': 'plain' } },
]
const installation = { program: '/bin/x', mounts: [], pathEntries: [], version: null }

function command(agent: string, wishes: Partial<AgentWishes>, words: readonly string[] = []) {
  const base = { model: 'openai/m', args: words, baseUrl: null, home: '/home/user', cwd: '/work' }
  return adapterFor(agent, words).headless({ ...base, ...wishes }, installation)
}

function fileOf(agent: string, wishes: Partial<AgentWishes>, path: string): string | undefined {
  return command(agent, wishes).homeFiles.find((each) => each.path === path)?.content
}

describe('each CLI gets MCP servers in its own form', () => {
  test('claude', () => {
    const { argv, env } = command('claude', { mcp: servers })
    expect(JSON.parse(argv[argv.indexOf('--mcp-config') + 1] ?? '')).toEqual({
      mcpServers: {
        notes: { type: 'stdio', command: 'node', args: ['/agent/notes.mjs', 'a "b"'], env: { DEPTH: '3' } },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of the CLI
        docs: { type: 'http', url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer ${TOKEN}', 'X-Kind': 'plain' } },
      },
    })
    expect(env).not.toHaveProperty('MCP_TOOL_TIMEOUT')
  })

  test('codex', () => {
    const { argv } = command('codex', { mcp: servers })
    const given = argv.filter((each) => each.startsWith('mcp_servers.'))
    expect(parse(given.join('\n'))).toEqual({
      mcp_servers: {
        notes: { command: 'node', args: ['/agent/notes.mjs', 'a "b"'], env: { DEPTH: '3' } },
        docs: { url: 'https://docs.example/mcp', http_headers: { 'X-Kind': 'plain' }, bearer_token_env_var: 'TOKEN' },
      },
    })
    const inside: McpServer = { name: 'docs', url: 'https://docs.example', headers: { 'X-Key': 'key=$KEY' } }
    expect(() => command('codex', { mcp: [inside] })).toThrow(
      'The header X-Key of the MCP server docs has a variable inside its value, which codex cannot send.',
    )
  })

  test('gemini', () => {
    expect(JSON.parse(fileOf('gemini', { mcp: servers }, '.gemini/settings.json') ?? '').mcpServers).toEqual({
      notes: { command: 'node', args: ['/agent/notes.mjs', 'a "b"'], env: { DEPTH: '3' }, trust: true },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of the CLI
      docs: { httpUrl: 'https://docs.example/mcp', headers: { Authorization: 'Bearer ${TOKEN}', 'X-Kind': 'plain' }, trust: true },
    })
  })

  test('opencode', () => {
    const config = JSON.parse(command('opencode', { mcp: servers }).env['OPENCODE_CONFIG_CONTENT'] ?? '')
    expect(config.mcp).toMatchObject({
      notes: { type: 'local', command: ['node', '/agent/notes.mjs', 'a "b"'], environment: { DEPTH: '3' } },
      docs: { type: 'remote', url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer {env:TOKEN}', 'X-Kind': 'plain' } },
    })
    expect(config).not.toHaveProperty('experimental')
  })

  test('an agent that speaks ACP, with its session', () => {
    const { argv, homeFiles } = command('acp', { mcp: servers, model: null }, ['gemini', '--acp'])
    expect(JSON.parse(argv[2] ?? '')).toEqual({ cwd: '/work', model: null, mcp: servers })
    expect(JSON.stringify(homeFiles)).not.toContain('docs.example')
  })
})

test('a server that waits for a human has as long as a human may take', () => {
  const mcp: readonly McpServer[] = [{ name: 'paddock', url: 'http://company/mcp', waits: true }]
  expect(command('claude', { mcp }).env).toMatchObject({ MCP_TOOL_TIMEOUT: '604800000', ENABLE_TOOL_SEARCH: 'false' })
  expect(command('codex', { mcp }).argv).toContainEqual(expect.stringContaining('"tool_timeout_sec"=604800'))
  expect(fileOf('gemini', { mcp }, '.gemini/settings.json')).toContain('"timeout":604800000')
  expect(command('opencode', { mcp }).env['OPENCODE_CONFIG_CONTENT']).toContain('"mcp_timeout":604800000')
})

describe('settings of a participant are in the file of the CLI, and those of the adapter take precedence', () => {
  test('claude', () => {
    const config = { outputStyle: 'short', skipDangerousModePermissionPrompt: false, env: { MORE: '1', CLAUDE_CONFIG_DIR: '/elsewhere' } }
    const settings = JSON.parse(fileOf('claude', { config }, '.claude/settings.json') ?? '')
    expect(settings).toMatchObject({ outputStyle: 'short', skipDangerousModePermissionPrompt: true })
    expect(settings.env).toMatchObject({ MORE: '1', CLAUDE_CONFIG_DIR: '/home/user/.claude' })
  })

  test('codex', () => {
    const config = { model_reasoning_effort: 'high', tools: { web_search: false }, notify: ['a', 'b\u007f'], left: null, 'odd key': 1.5 }
    expect(parse(fileOf('codex', { config }, '.codex/config.toml') ?? '')).toEqual({
      model_reasoning_effort: 'high',
      tools: { web_search: false },
      notify: ['a', 'b\u007f'],
      'odd key': 1.5,
    })
  })

  test('gemini', () => {
    const config = {
      general: { vimMode: true, enableAutoUpdate: true },
      mcpServers: { notes: { command: 'other' }, mine: { command: 'x' } },
    }
    const settings = JSON.parse(fileOf('gemini', { config, mcp: servers }, '.gemini/settings.json') ?? '')
    expect(settings.general).toMatchObject({ vimMode: true, enableAutoUpdate: false })
    expect(settings.mcpServers).toMatchObject({ notes: { command: 'node' }, mine: { command: 'x' } })
  })

  test('opencode', () => {
    const config = { autoupdate: true, theme: 'x' }
    expect(JSON.parse(fileOf('opencode', { config }, '.config/opencode/opencode.json') ?? '')).toEqual(config)
    expect(command('opencode', { config }).env['OPENCODE_CONFIG_CONTENT']).toContain('"autoupdate":false')
  })
})
