import path from 'node:path'
import { inert, unasked } from '../../cell/plan/protected/row-kinds.ts'
import type { AgentAdapter, AgentCommand, AgentWishes } from '../adapter.ts'
import { versioned } from '../base-url.ts'
import { allowHosts } from '../hosts.ts'
import { locateProgram } from '../locate.ts'
import { vendorApis } from '../vendor-apis.ts'

/** xAI's Grok Build. The adapter was written from the documentation (docs.x.ai/build/cli) and has never been run. */
export const grok: AgentAdapter = {
  name: 'grok',
  family: 'xai',
  tried: false,
  reports: 'cost',
  program: 'grok',
  installHint: 'curl -fsSL https://x.ai/cli/install.sh | bash',
  hosts: allowHosts('grok', ['api.x.ai', 'auth.x.ai', 'accounts.x.ai', 'grok.com']),
  webTool: 'web search of grok',
  stateDirectory: '.grok',
  homeData: ['.grok/auth.json', '.grok/sessions'],
  credentials: (home) => [
    { kind: 'env', name: 'XAI_API_KEY' },
    { kind: 'snapshot', hostPath: path.join(home, '.grok/auth.json'), homePath: '.grok/auth.json' },
  ],
  placeholders: { keys: { XAI_API_KEY: vendorApis.xai } },
  runLater: [inert('grok obeys its settings', '.grok/', 'grok ~/.grok'), unasked('agents obey it', 'GROK{.md,.*.md}')],
  instructionFiles: { names: ['GROK.md'], directories: ['.grok'] },
  installedIn: { searched: ['.grok/bin'] },
  loginFormat: async () => (await import('./login.ts')).grokLogin,
  login: { args: ['login'], callbackPorts: [], how: 'follow what it says' },
  headless(wishes, { program }) {
    // The CLI does not read the prompt from standard input by default, but it reads any named file.
    const run = [program, '--prompt-file', '/dev/stdin', '--output-format', 'streaming-json', '--cwd', wishes.cwd]
    return command(wishes, [...run, ...common(wishes), ...wishes.args])
  },
  interactive: (wishes, { program }) => command(wishes, [program, ...common(wishes), ...wishes.args]),
  locate: (search) => locateProgram('grok', search),
  parser: async () => (await import('./output.ts')).grokParser(),
}

function common({ model }: AgentWishes): readonly string[] {
  return ['--always-approve', '--no-auto-update', ...(model === null ? [] : ['-m', model])]
}

function command({ home, baseUrl }: AgentWishes, argv: readonly string[]): AgentCommand {
  const state = path.join(home, '.grok')
  if (baseUrl === null) return { argv, env: { GROK_HOME: state }, homeFiles: [] }
  const url = JSON.stringify(versioned(baseUrl, 'v1'))
  const content = `[cli]\nauto_update = false\n\n[endpoints]\nmodels_base_url = ${url}\n`
  return { argv, env: { GROK_HOME: state }, homeFiles: [{ path: '.grok/config.toml', content, overwrite: true }] }
}
