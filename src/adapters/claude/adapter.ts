import path from 'node:path'
import { inert, unasked } from '../../cell/plan/protected/row-kinds.ts'
import type { AgentAdapter, AgentCommand, AgentWishes, CredentialUse, LoginFacts, PlaceholderMaker } from '../adapter.ts'
import { rootOf } from '../base-url.ts'
import { allowHosts } from '../hosts.ts'
import { locateProgram } from '../locate.ts'
import { byName, headersFor, mcpSeconds, waits } from '../mcp-server.ts'
import { hasOption } from '../own-instructions.ts'
import { farMs } from '../placeholders.ts'
import { mergeSettings } from '../settings.ts'
import { bearer, vendorApis } from '../vendor-apis.ts'

/** The use of a subscription's token. The path that would turn the token into an API key is not included. */
const subscription: CredentialUse = {
  hosts: vendorApis.anthropic.hosts.map((each) => ({
    ...each,
    paths: [...each.paths, '/api/oauth/profile', '/api/oauth/usage', '/api/oauth/account/settings'],
  })),
  places: [bearer],
}

/**
 * The last characters of a placeholder for an API key. The CLI uses such a key in a terminal only if the user approved its last 20
 * characters, so that all placeholders end with these.
 */
const keyEnding = '-paddock-placeholder'

/** One word, because the option would take all words after it too. */
const webToolsOff = ['--disallowedTools=WebSearch,WebFetch']

/** Claude Code. */
export const claude: AgentAdapter = {
  name: 'claude',
  family: 'anthropic',
  tried: true,
  reports: 'cost',
  usesMcp: true,
  program: 'claude',
  installHint: 'npm install -g @anthropic-ai/claude-code',
  hosts: allowHosts('claude', ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai']),
  webTool: 'web search of claude',
  withoutWebTools: { by: 'options', options: webToolsOff },
  stateDirectory: '.claude',
  homeData: [
    '.claude/projects/*/*.jsonl',
    '.claude/projects/*/*-*-*-*-*',
    '.claude/history.jsonl',
    '.claude/.credentials.json',
    '.claude/todos',
    '.claude/tasks',
    '.claude/file-history',
    '.claude/paste-cache',
    '.claude/statsig',
    '.claude/debug',
  ],
  reads: { skills: '.claude/skills', instructions: '.claude/CLAUDE.md' },
  credentials: (home) => [
    { kind: 'env', name: 'ANTHROPIC_API_KEY' },
    { kind: 'env', name: 'ANTHROPIC_AUTH_TOKEN' },
    { kind: 'env', name: 'CLAUDE_CODE_OAUTH_TOKEN' },
    { kind: 'snapshot', hostPath: path.join(home, '.claude/.credentials.json'), homePath: '.claude/.credentials.json' },
  ],
  placeholders: {
    keys: {
      ANTHROPIC_API_KEY: vendorApis.anthropic,
      ANTHROPIC_AUTH_TOKEN: vendorApis.anthropic,
      CLAUDE_CODE_OAUTH_TOKEN: subscription,
    },
    endings: { ANTHROPIC_API_KEY: keyEnding },
    stored,
    storedElsewhere: subscription,
  },
  runLater: [
    inert('claude obeys its settings and runs its hooks', '.claude/', 'claude ~/.claude'),
    unasked('agents obey it', 'CLAUDE{.md,.*.md}'),
    unasked('agents obey it', '.claude-plugin/'),
  ],
  instructionFiles: { names: ['CLAUDE.md', 'CLAUDE.local.md'], directories: ['.claude', '.claude-plugin'] },
  installedIn: { searched: ['.claude/local'], shown: ['.local/share/claude/versions'] },
  loginFormat: async () => (await import('./login.ts')).claudeLogin,
  login: {
    args: ['auth', 'login'],
    callbackPorts: [],
    how: 'log in on the page that it names, and give it the code that you get there',
  },
  headless: (wishes, { program }) =>
    command(wishes, [
      program,
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      ...common(wishes),
      ...mcp(wishes),
      ...goingOn(wishes),
      ...wishes.args,
    ]),
  interactive: (wishes, { program }) => command(wishes, [program, ...common(wishes), ...wishes.args]),
  sessions: {
    directory: '.claude/projects',
    file: /^[^/]+\/[0-9a-f-]{36}\.jsonl$/,
    id: { in: 'name', pattern: /^([0-9a-f-]{36})\.jsonl$/ },
    args: resume,
  },
  locate: (search) => locateProgram('claude', search),
  parser: async () => (await import('./output.ts')).claudeParser(),
}

function stored<Login extends LoginFacts>(logins: readonly Login[], make: PlaceholderMaker) {
  const login = logins[0]
  if (login === undefined) return { files: [], placeholders: [] }
  const [access, refresh] = [make.word('sk-ant-oat01-'), make.word('sk-ant-ort01-')]
  const { scopes, subscriptionType, rateLimitTier, clientId } = login.facts
  const claudeAiOauth = {
    accessToken: access,
    refreshToken: refresh,
    expiresAt: Date.now() + farMs,
    scopes,
    subscriptionType,
    rateLimitTier,
    clientId,
  }
  const scope = Array.isArray(scopes) ? scopes.join(' ') : ''
  const renewal = {
    host: 'platform.claude.com',
    paths: ['/v1/oauth/token'],
    refresh,
    reply: (fresh: string) => ({ token_type: 'Bearer', access_token: fresh, refresh_token: refresh, expires_in: farMs / 1000, scope }),
  }
  return {
    files: [{ path: '.claude/.credentials.json', content: JSON.stringify({ claudeAiOauth }) }],
    placeholders: [{ login, use: subscription, access, renewal }],
  }
}

function mcp({ mcp: servers = [] }: AgentWishes): readonly string[] {
  if (servers.length === 0) return []
  const mcpServers = byName(servers, (each) => {
    if ('url' in each) return { type: 'http', url: each.url, headers: headersFor(each.headers, (name) => `\${${name}}`) }
    const [program = '', ...args] = each.command
    return { type: 'stdio', command: program, args, env: each.env ?? {} }
  })
  return ['--mcp-config', JSON.stringify({ mcpServers })]
}

function resume(id: string): readonly string[] {
  return ['--resume', id]
}

function goingOn({ conversation }: AgentWishes): readonly string[] {
  return conversation == null ? [] : resume(conversation)
}

function common({ model, instructions, args, webTools }: AgentWishes): readonly string[] {
  const isOwn = hasOption(args, '--append-system-prompt', '--append-system-prompt-file', '--system-prompt', '--system-prompt-file')
  return [
    '--dangerously-skip-permissions',
    ...(webTools === false ? webToolsOff : []),
    ...(model === null ? [] : ['--model', model]),
    ...(instructions == null || isOwn ? [] : ['--append-system-prompt', instructions]),
  ]
}

function command({ home, cwd, baseUrl, mcp: servers = [], config }: AgentWishes, argv: readonly string[]): AgentCommand {
  const state = {
    hasCompletedOnboarding: true,
    projects: { [cwd]: { hasTrustDialogAccepted: true } },
    customApiKeyResponses: { approved: [keyEnding], rejected: [] },
  }
  const env = {
    CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
    // The CLI refuses to skip permissions as uid 0 outside of a sandbox. The cell is a sandbox.
    IS_SANDBOX: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    ...(!servers.some(waits) ? {} : { MCP_TOOL_TIMEOUT: String(mcpSeconds * 1_000), ENABLE_TOOL_SEARCH: 'false' }),
    ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: rootOf(baseUrl) }),
  }
  // Variables in its settings would replace those of its process.
  const own = { skipDangerousModePermissionPrompt: true, ...(config?.['env'] === undefined ? {} : { env }) }
  const settings = mergeSettings(config ?? {}, own)
  return {
    argv,
    env,
    homeFiles: [
      { path: '.claude/.claude.json', content: JSON.stringify(state), overwrite: false },
      { path: '.claude/settings.json', content: JSON.stringify(settings), overwrite: false },
    ],
  }
}
