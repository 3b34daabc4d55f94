import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { inert } from '../../cell/plan/protected/row-kinds.ts'
import type { AgentAdapter, AgentCommand, AgentWishes, LoginFacts, PlaceholderMaker } from '../adapter.ts'
import { versioned } from '../base-url.ts'
import { allowHosts } from '../hosts.ts'
import { locateProgram } from '../locate.ts'
import { type McpServer, mcpSeconds, waits } from '../mcp-server.ts'
import { farMs } from '../placeholders.ts'
import { tomlOf, tomlValue } from '../settings.ts'
import { vendorApis } from '../vendor-apis.ts'

const webToolsOff = ['-c', 'web_search="disabled"']

/** OpenAI's Codex. */
export const codex: AgentAdapter = {
  name: 'codex',
  family: 'openai',
  tried: true,
  reports: 'tokens',
  usesMcp: true,
  program: 'codex',
  installHint: 'npm install -g @openai/codex',
  hosts: allowHosts('codex', ['api.openai.com', 'auth.openai.com', 'chatgpt.com']),
  webTool: 'web search of codex',
  withoutWebTools: { by: 'options', options: webToolsOff, undone: /^--search$|web_search/ },
  stateDirectory: '.codex',
  homeData: [
    '.codex/sessions',
    '.codex/archived_sessions',
    '.codex/history.jsonl',
    '.codex/session_index.jsonl',
    '.codex/auth.json',
    '.codex/log',
    '.codex/*.sqlite*',
  ],
  reads: { skills: '.codex/skills', instructions: '.codex/AGENTS.md' },
  credentials: (home) => [
    { kind: 'env', name: 'CODEX_API_KEY' },
    { kind: 'env', name: 'OPENAI_API_KEY' },
    { kind: 'snapshot', hostPath: path.join(home, '.codex/auth.json'), homePath: '.codex/auth.json' },
  ],
  placeholders: { keys: { CODEX_API_KEY: vendorApis.openai, OPENAI_API_KEY: vendorApis.openai }, stored },
  runLater: [inert('codex obeys its settings', '.codex/', 'codex ~/.codex')],
  instructionFiles: { names: ['AGENTS.override.md'], directories: ['.codex'] },
  bundleVariables: ['CODEX_CA_CERTIFICATE'],
  loginFormat: async () => (await import('./login.ts')).codexLogin,
  login: {
    args: ['login'],
    callbackPorts: [1455],
    withoutCallback: '--device-auth',
    how: 'log in on the page that it names; "paddock login codex --device-auth" works with a code, from any machine',
  },
  headless(wishes, { program }) {
    // Otherwise the CLI would fetch a catalogue of plugins, from which a user cannot choose without a terminal.
    const run = [program, 'exec', '--json', '--skip-git-repo-check', ...common(wishes), ...mcp(wishes), '-c', 'features.plugins=false']
    return command(wishes, [...run, ...wishes.args, ...(wishes.conversation == null ? [] : resume(wishes.conversation)), '-'])
  },
  interactive: (wishes, { program }) => command(wishes, [program, ...common(wishes), ...wishes.args]),
  endpointOptions: (wishes) => provider(wishes).flatMap((each) => ['-c', each]),
  sessions: {
    directory: '.codex/sessions',
    file: /^\d+\/\d+\/\d+\/rollout-[^/]+\.jsonl$/,
    id: { in: 'name', pattern: /([0-9a-f-]{36})\.jsonl$/ },
    args: resume,
  },
  locate: (search) => locateProgram('codex', search),
  parser: async () => (await import('./output.ts')).codexParser(),
}

function mcp({ mcp: servers = [] }: AgentWishes): readonly string[] {
  return servers.flatMap((each) => ['-c', `mcp_servers.${each.name}=${tomlValue(mcpEntry(each))}`])
}

function mcpEntry(server: McpServer): Readonly<Record<string, unknown>> {
  if ('url' in server)
    return { url: server.url, ...mcpHeaders(server.name, server.headers), ...(waits(server) ? { tool_timeout_sec: mcpSeconds } : {}) }
  const [program = '', ...args] = server.command
  return { command: program, args, ...(server.env === undefined ? {} : { env: server.env }) }
}

/** Returns the headers. The CLI takes the name of a variable for a whole header, or for the token after Bearer. */
function mcpHeaders(server: string, headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, unknown>> {
  const plain: Record<string, string> = {}
  const variables: Record<string, string> = {}
  let token: string | null = null
  for (const [name, value] of Object.entries(headers)) {
    const whole = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1]
    const bearer = name.toLowerCase() === 'authorization' ? /^Bearer \$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1] : undefined
    if (whole !== undefined) variables[name] = whole
    else if (bearer !== undefined) token = bearer
    else if (!/\$[A-Za-z_]/.test(value)) plain[name] = value
    else
      throw new PaddockError(
        'BAD_INPUT',
        `The header ${name} of the MCP server ${server} has a variable inside its value, which codex cannot send.`,
        {
          hint: 'Make the variable the whole value, or use Authorization: Bearer $NAME',
        },
      )
  }
  return {
    ...(Object.keys(plain).length === 0 ? {} : { http_headers: plain }),
    ...(Object.keys(variables).length === 0 ? {} : { env_http_headers: variables }),
    ...(token === null ? {} : { bearer_token_env_var: token }),
  }
}

function resume(id: string): readonly string[] {
  return ['resume', id]
}

function stored<Login extends LoginFacts>(logins: readonly Login[], make: PlaceholderMaker) {
  const login = logins[0]
  if (login === undefined) return { files: [], placeholders: [] }
  const file = (content: object) => [{ path: '.codex/auth.json', content: JSON.stringify(content) }]
  if (login.kind === 'key') {
    const access = make.word('sk-')
    return { files: file({ auth_mode: 'apikey', OPENAI_API_KEY: access }), placeholders: [{ login, use: vendorApis.openai, access }] }
  }
  const { claims, account_id } = login.facts
  // The CLI reads the account and expiry from the tokens themselves, and does not verify their signatures.
  const token = () => make.token({ ...(typeof claims === 'object' ? claims : {}), exp: Math.floor((Date.now() + farMs) / 1000) })
  const [access, id, refresh] = [token(), token(), make.word('rt_')]
  const tokens = { id_token: id, access_token: access, refresh_token: refresh, account_id }
  const renewal = {
    host: 'auth.openai.com',
    paths: ['/oauth/token'],
    refresh,
    reply: (fresh: string) => ({ id_token: id, access_token: fresh, refresh_token: refresh }),
  }
  return {
    files: file({ auth_mode: 'chatgpt', OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() }),
    placeholders: [{ login, use: vendorApis.chatgpt, access, renewal }],
  }
}

function common(wishes: AgentWishes): readonly string[] {
  const trusted = `projects={${JSON.stringify(wishes.cwd)}={trust_level="trusted"}}`
  return [
    // The cell is the sandbox. A nested one would need privileges that a cell does not have.
    '--dangerously-bypass-approvals-and-sandbox',
    '-C',
    wishes.cwd,
    ...(wishes.webTools === false ? webToolsOff : []),
    ...(wishes.model === null ? [] : ['-m', wishes.model]),
    ...['check_for_update_on_startup=false', 'analytics.enabled=false', trusted, ...instructions(wishes), ...provider(wishes)].flatMap(
      (each) => ['-c', each],
    ),
  ]
}

/** The user's own `-c developer_instructions=…` takes precedence, because it comes later. */
function instructions({ instructions: text }: AgentWishes): readonly string[] {
  return text == null ? [] : [`developer_instructions=${JSON.stringify(text)}`]
}

/**
 * Returns options for a custom provider if the base URL is not the vendor's, and for `OPENAI_API_KEY`, which the CLI does not read by
 * itself. With a stored login, or without any credential, the CLI authenticates in its own way.
 */
function provider({ baseUrl, credential }: AgentWishes): readonly string[] {
  const key = credential === undefined ? 'CODEX_API_KEY' : credential?.kind === 'env' ? credential.name : null
  if (baseUrl === null && key !== 'OPENAI_API_KEY') return []
  const url = versioned(baseUrl ?? 'https://api.openai.com', 'v1')
  const login = key === null ? 'requires_openai_auth=true' : `env_key=${JSON.stringify(key)}`
  const entry = `name="paddock",base_url=${JSON.stringify(url)},wire_api="responses",${login}`
  return ['model_provider="paddock"', `model_providers.paddock={${entry}}`]
}

function command({ home, config }: AgentWishes, argv: readonly string[]): AgentCommand {
  return {
    argv,
    env: { CODEX_HOME: path.join(home, '.codex') },
    // The CLI does not start without its state directory.
    homeFiles: [{ path: '.codex/config.toml', content: config == null ? '' : tomlOf(config), overwrite: false }],
  }
}
