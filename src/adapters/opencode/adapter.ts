import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { as, inert, inertJson } from '../../cell/plan/protected/row-kinds.ts'
import type { AgentAdapter, AgentCommand, AgentWishes, CredentialUse, LoginFacts, LoginPlaceholder, PlaceholderMaker } from '../adapter.ts'
import { versioned } from '../base-url.ts'
import { allowHosts } from '../hosts.ts'
import { locateProgram } from '../locate.ts'
import { byName, headersFor, type McpServer, mcpSeconds, waits } from '../mcp-server.ts'
import { farMs } from '../placeholders.ts'
import { bearer, vendorApis } from '../vendor-apis.ts'

/** opencode: one CLI for the models of many vendors, named `provider/model`. */
export const opencode: AgentAdapter = {
  name: 'opencode',
  family: 'various',
  tried: true,
  // The CLI reports the cost only if it knows the prices of the model.
  reports: 'tokens',
  usesMcp: true,
  program: 'opencode',
  installHint: 'npm install -g opencode-ai',
  hosts: allowHosts('opencode', [
    'opencode.ai',
    'models.dev',
    'api.anthropic.com',
    'api.openai.com',
    'generativelanguage.googleapis.com',
    'api.x.ai',
    'chatgpt.com',
    'auth.openai.com',
  ]),
  withoutWebTools: { by: 'settings' },
  stateDirectory: '.local/share/opencode',
  homeData: [
    '.local/share/opencode/auth.json',
    '.local/share/opencode/log',
    '.local/share/opencode/storage',
    '.local/share/opencode/snapshot',
    '.local/share/opencode/opencode.db*',
  ],
  reads: { skills: '.config/opencode/skills', instructions: '.config/opencode/AGENTS.md' },
  credentials: (home) => [
    { kind: 'env', name: 'ANTHROPIC_API_KEY' },
    { kind: 'env', name: 'OPENAI_API_KEY' },
    { kind: 'env', name: 'GEMINI_API_KEY' },
    { kind: 'snapshot', hostPath: path.join(home, '.local/share/opencode/auth.json'), homePath: '.local/share/opencode/auth.json' },
  ],
  placeholders: {
    keys: { ANTHROPIC_API_KEY: vendorApis.anthropic, OPENAI_API_KEY: vendorApis.openai, GEMINI_API_KEY: vendorApis.google },
    stored,
  },
  runLater: [
    inertJson('opencode starts the servers and plugins that it names', 'opencode.json opencode.jsonc'),
    inert('opencode runs the plugins in it', '.opencode/', 'opencode ~/.config/opencode'),
    // The CLI makes this file if it is missing, and does not start if it cannot.
    as('inert', { inert: '*\n', tool: 'opencode ~/.config/opencode' })('opencode makes it', '/.opencode/.gitignore'),
  ],
  instructionFiles: { names: ['opencode.json', 'opencode.jsonc'], directories: ['.opencode'] },
  installedIn: { searched: ['.opencode/bin'], shown: ['.opencode/bin'] },
  loginFormat: async () => (await import('./login.ts')).opencodeLogin,
  login: {
    args: ['auth', 'login'],
    callbackPorts: [1455],
    needsTerminal: true,
    how: 'choose a provider and follow what it says',
  },
  headless(wishes, { program }) {
    // A given title saves the model call that would invent one. Errors on standard error reveal silent retries.
    const run = [program, 'run', '--format', 'json', '--title', 'paddock', '--print-logs', '--log-level', 'ERROR']
    const goingOn = wishes.conversation == null ? [] : resume(wishes.conversation)
    return command(wishes, [...run, ...model(wishes), ...goingOn, ...wishes.args])
  },
  interactive: (wishes, { program }) => command(wishes, [program, ...model(wishes), ...wishes.args]),
  sessions: {
    directory: '.local/share/opencode/log',
    file: /^[^/]+\.log$/,
    id: { in: 'end', pattern: / message=loop session\.id=(ses_[A-Za-z0-9]+) / },
    args: resume,
  },
  locate: (search) => locateProgram('opencode', search),
  parser: async () => (await import('./output.ts')).opencodeParser(),
}

function resume(id: string): readonly string[] {
  return ['--session', id]
}

/** The use for a provider whose hosts are not known. Its key can have a placeholder if the user names its endpoint. */
const elsewhere: CredentialUse = {
  hosts: [],
  places: [...vendorApis.openai.places, ...vendorApis.anthropic.places.slice(0, 1), ...vendorApis.google.places.slice(0, 1)],
}
const providers: Readonly<Record<string, CredentialUse>> = {
  anthropic: vendorApis.anthropic,
  openai: vendorApis.openai,
  google: vendorApis.google,
  xai: vendorApis.xai,
  opencode: { hosts: [{ host: 'opencode.ai', paths: ['/zen/**'] }], places: [bearer, { kind: 'header', name: 'x-api-key' }] },
}

/** Returns the placeholder of a ChatGPT login, which the CLI can make by itself. */
function chatgpt<Login extends LoginFacts>(
  login: Login,
  make: PlaceholderMaker,
): { readonly entry: object; readonly placeholder: LoginPlaceholder<Login> } {
  const [access, refresh] = [make.token({ exp: Math.floor((Date.now() + farMs) / 1000) }), make.word('rt_')]
  const { accountId } = login.facts
  const renewal = {
    host: 'auth.openai.com',
    paths: ['/oauth/token'],
    refresh,
    reply: (fresh: string) => ({ access_token: fresh, refresh_token: refresh, expires_in: farMs / 1000 }),
  }
  return {
    entry: { type: 'oauth', access, refresh, expires: Date.now() + farMs, ...(accountId === undefined ? {} : { accountId }) },
    placeholder: { login, use: vendorApis.chatgpt, access, renewal },
  }
}

function stored<Login extends LoginFacts>(logins: readonly Login[], make: PlaceholderMaker) {
  const entries: Record<string, object> = {}
  const placeholders: LoginPlaceholder<Login>[] = []
  for (const login of logins) {
    const name = login.provider ?? ''
    if (login.kind !== 'key') {
      const made = name === 'openai' ? chatgpt(login, make) : null
      if (made === null) continue
      entries[name] = made.entry
      placeholders.push(made.placeholder)
      continue
    }
    const use = (Object.hasOwn(providers, name) ? providers[name] : undefined) ?? elsewhere
    const access = make.word('sk-')
    entries[name] = { type: 'api', key: access }
    placeholders.push({ login, use, access })
  }
  const content = JSON.stringify(entries)
  return { files: placeholders.length === 0 ? [] : [{ path: '.local/share/opencode/auth.json', content }], placeholders }
}

/** The APIs of providers' models behind a base URL, with the variables of their keys. Others use OpenAI's older API. */
const dialects: Readonly<Record<string, { readonly npm: string; readonly version: 'v1' | 'v1beta'; readonly key: string }>> = {
  anthropic: { npm: '@ai-sdk/anthropic', version: 'v1', key: 'ANTHROPIC_API_KEY' },
  openai: { npm: '@ai-sdk/openai', version: 'v1', key: 'OPENAI_API_KEY' },
  google: { npm: '@ai-sdk/google', version: 'v1beta', key: 'GEMINI_API_KEY' },
}
const compatible = { npm: '@ai-sdk/openai-compatible', version: 'v1', key: 'OPENAI_API_KEY' } as const

function model(wishes: AgentWishes): readonly string[] {
  if (wishes.model === null) {
    if (wishes.baseUrl === null) return []
    throw new PaddockError('BAD_INPUT', 'opencode needs a model with a base URL.', {
      hint: 'Name it as provider/model with --model, or model: in a file, for example openai/gpt-5',
    })
  }
  if (/^[^/\s]+\/\S+$/.test(wishes.model)) return ['-m', wishes.model]
  throw new PaddockError('BAD_INPUT', `opencode does not know the model "${wishes.model}".`, {
    hint: `Name it as provider/model, for example openai/${wishes.model.replaceAll('/', '') || 'gpt-5'}`,
  })
}

function command(wishes: AgentWishes, argv: readonly string[]): AgentCommand {
  const { instructions: text, config: settings } = wishes
  const file = '.config/opencode/paddock.md'
  // The CLI adds these files to those that other configuration names.
  const instructed = text == null ? {} : { instructions: [path.join(wishes.home, file)] }
  const config = {
    autoupdate: false,
    share: 'disabled',
    // The last matching key counts, and this one is not among the keys of other files, which come first.
    permission: wishes.webTools === false ? { '*': 'allow', 'web*': 'deny' } : 'allow',
    ...providerConfig(wishes),
    ...mcpConfig(wishes),
    ...instructed,
  }
  return {
    argv,
    env: {
      // The CLI merges this over all files, including those of a project.
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      // The program's built-in list of models is sufficient.
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
    homeFiles: [
      ...(text == null ? [] : [{ path: file, content: `${text}\n`, overwrite: true }]),
      ...(settings == null ? [] : [{ path: '.config/opencode/opencode.json', content: JSON.stringify(settings), overwrite: true }]),
    ],
  }
}

function mcpConfig({ mcp: servers = [] }: AgentWishes): object {
  if (servers.length === 0) return {}
  const patience = servers.some(waits) ? { experimental: { mcp_timeout: mcpSeconds * 1_000 } } : {}
  return { mcp: byName(servers, mcpEntry), ...patience }
}

function mcpEntry(server: McpServer): object {
  const common = { enabled: true, timeout: 30_000 }
  if ('url' in server) {
    const headers = headersFor(server.headers, (name) => `{env:${name}}`)
    return { type: 'remote', url: server.url, oauth: false, headers, ...common }
  }
  return { type: 'local', command: server.command, environment: server.env ?? {}, ...common }
}

function providerConfig({ baseUrl, model: wished, credential }: AgentWishes): object {
  if (baseUrl === null || wished === null) return {}
  const [name = '', ...rest] = wished.split('/')
  const dialect = (Object.hasOwn(dialects, name) ? dialects[name] : undefined) ?? compatible
  const key = credential?.kind === 'env' ? credential.name : dialect.key
  const options = { baseURL: versioned(baseUrl, dialect.version), ...(credential?.kind === 'snapshot' ? {} : { apiKey: `{env:${key}}` }) }
  return { provider: { [name]: { npm: dialect.npm, options, models: { [rest.join('/')]: {} } } } }
}
