import path from 'node:path'
import { inert, unasked } from '../../cell/plan/protected/row-kinds.ts'
import type { AgentAdapter, AgentCommand, AgentWishes, CredentialUse, LoginFacts, PlaceholderMaker } from '../adapter.ts'
import { rootOf } from '../base-url.ts'
import { allowHosts } from '../hosts.ts'
import { locateProgram } from '../locate.ts'
import { byName, headersFor, type McpServer, mcpSeconds, waits } from '../mcp-server.ts'
import { farMs } from '../placeholders.ts'
import { mergeSettings } from '../settings.ts'
import { bearer, vendorApis } from '../vendor-apis.ts'

/** Google's Gemini CLI. */
export const gemini: AgentAdapter = {
  name: 'gemini',
  family: 'google',
  tried: true,
  reports: 'tokens',
  usesMcp: true,
  program: 'gemini',
  installHint: 'npm install -g @google/gemini-cli',
  hosts: allowHosts('gemini', [
    'generativelanguage.googleapis.com',
    'cloudcode-pa.googleapis.com',
    'aiplatform.googleapis.com',
    'oauth2.googleapis.com',
    'accounts.google.com',
  ]),
  webTool: 'web search of gemini',
  withoutWebTools: { by: 'settings' },
  stateDirectory: '.gemini',
  homeData: [
    '.gemini/tmp/*/chats',
    '.gemini/tmp/*/logs.json',
    '.gemini/tmp/*/shell_history',
    '.gemini/history',
    '.gemini/oauth_creds.json',
    '.gemini/google_accounts.json',
    '.gemini/installation_id',
  ],
  reads: { skills: '.gemini/skills', instructions: '.gemini/GEMINI.md' },
  credentials: (home) => [
    { kind: 'env', name: 'GEMINI_API_KEY' },
    { kind: 'env', name: 'GOOGLE_API_KEY' },
    { kind: 'snapshot', hostPath: path.join(home, '.gemini/oauth_creds.json'), homePath: '.gemini/oauth_creds.json' },
  ],
  placeholders: { keys: { GEMINI_API_KEY: vendorApis.google, GOOGLE_API_KEY: vendorApis.vertex }, stored },
  runLater: [inert('gemini obeys its settings', '.gemini/', 'gemini ~/.gemini'), unasked('agents obey it', 'GEMINI{.md,.*.md}')],
  instructionFiles: { names: ['GEMINI.md', '.geminiignore'], directories: ['.gemini'] },
  loginFormat: async () => (await import('./login.ts')).geminiLogin,
  login: {
    args: ['--skip-trust'],
    env: { NO_BROWSER: 'true' },
    callbackPorts: [],
    needsTerminal: true,
    how: 'log in on the page that it names, give it the code that you get there, and leave it with /quit',
  },
  headless: (wishes, { program }) =>
    command(wishes, [program, '-o', 'stream-json', ...common(wishes), ...goingOn(wishes), ...wishes.args], true),
  interactive: (wishes, { program }) => command(wishes, [program, ...common(wishes), ...wishes.args], false),
  sessions: {
    directory: '.gemini/tmp',
    file: /^[^/]+\/chats\/session-[^/]+\.jsonl?$/,
    id: { in: 'beginning', pattern: /^\{\s*"sessionId":\s*"([0-9a-f-]{36})"/ },
    args: resume,
  },
  locate: (search) => locateProgram('gemini', search),
  parser: async () => (await import('./output.ts')).geminiParser(),
}

const subscription: CredentialUse = {
  hosts: [
    { host: 'cloudcode-pa.googleapis.com', paths: ['/v1internal:**', '/v1internal/**'] },
    // The CLI checks its token there before using it.
    { host: 'oauth2.googleapis.com', paths: ['/tokeninfo'] },
  ],
  places: [bearer],
}

function stored<Login extends LoginFacts>(logins: readonly Login[], make: PlaceholderMaker) {
  const login = logins[0]
  if (login === undefined) return { files: [], placeholders: [] }
  const [access, refresh] = [make.word('ya29.'), make.word('1//')]
  const { scope, token_type } = login.facts
  const about = { scope, token_type }
  const renewal = {
    host: 'oauth2.googleapis.com',
    paths: ['/token'],
    refresh,
    reply: (fresh: string) => ({ ...about, access_token: fresh, expires_in: farMs / 1000 }),
  }
  const creds = { ...about, access_token: access, refresh_token: refresh, expiry_date: Date.now() + farMs }
  return {
    files: [{ path: '.gemini/oauth_creds.json', content: JSON.stringify(creds) }],
    placeholders: [{ login, use: subscription, access, renewal }],
  }
}

function resume(id: string): readonly string[] {
  return ['--resume', id]
}

function goingOn({ conversation }: AgentWishes): readonly string[] {
  return conversation == null ? [] : resume(conversation)
}

function common({ model }: AgentWishes): readonly string[] {
  return ['--approval-mode=yolo', '--skip-trust', ...(model === null ? [] : ['-m', model])]
}

function mcpEntry(server: McpServer): object {
  const limit = waits(server) ? { timeout: mcpSeconds * 1_000 } : {}
  if ('url' in server) return { httpUrl: server.url, headers: headersFor(server.headers, (name) => `\${${name}}`), ...limit, trust: true }
  const [program = '', ...args] = server.command
  return { command: program, args, ...(server.env === undefined ? {} : { env: server.env }), trust: true }
}

/** A file beside GEMINI.md, to which the CLI writes its memory. An empty one is ignored. */
const instructionsFile = 'PADDOCK.md'

/** The CLI adds the names in the settings of the project to these. It reads settings of the system only if root owns them. */
const webToolsOff = { tools: { exclude: ['google_web_search', 'web_fetch'] } }

/**
 * Returns the command. A headless run needs the kind of login in its settings. For an interactive one, the user may have chosen another.
 * Without web tools, both need them.
 */
function command(wishes: AgentWishes, argv: readonly string[], overwrite: boolean): AgentCommand {
  const { credential, home, baseUrl, mcp = [], config, instructions, webTools } = wishes
  const snapshot = credential?.kind === 'snapshot'
  const vertex = credential?.kind === 'env' && credential.name === 'GOOGLE_API_KEY'
  const settings = {
    security: { auth: { selectedType: snapshot ? 'oauth-personal' : vertex ? 'vertex-ai' : 'gemini-api-key' } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    ...(instructions == null ? {} : { context: { fileName: ['GEMINI.md', instructionsFile] } }),
    ...(mcp.length === 0 ? {} : { mcpServers: byName(mcp, mcpEntry) }),
    ...(webTools === false ? webToolsOff : {}),
  }
  return {
    argv,
    env: {
      GEMINI_CLI_HOME: home,
      // Runs one process instead of two. The second would only raise the heap limit.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      ...(vertex ? { GOOGLE_GENAI_USE_VERTEXAI: 'true' } : {}),
      ...(baseUrl === null ? {} : { [vertex ? 'GOOGLE_VERTEX_BASE_URL' : 'GOOGLE_GEMINI_BASE_URL']: rootOf(baseUrl) }),
    },
    homeFiles: [
      {
        path: '.gemini/settings.json',
        content: JSON.stringify(mergeSettings(config ?? {}, settings)),
        overwrite: overwrite || webTools === false,
      },
      { path: `.gemini/${instructionsFile}`, content: instructions == null ? '' : `${instructions}\n`, overwrite: true },
    ],
  }
}
