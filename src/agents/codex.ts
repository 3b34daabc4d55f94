import path from 'node:path'
import type { AgentAdapter, AgentCommand, AgentWishes } from './adapter.ts'
import { versioned } from './base-url.ts'
import { codexParser } from './codex-output.ts'
import { allowHosts } from './hosts.ts'
import { locateProgram } from './locate.ts'

/** Codex, of OpenAI. */
export const codex: AgentAdapter = {
  name: 'codex',
  family: 'openai',
  tried: true,
  program: 'codex',
  installHint: 'npm install -g @openai/codex',
  hosts: allowHosts('codex', ['api.openai.com', 'auth.openai.com', 'chatgpt.com']),
  stateDirectory: '.codex',
  credentials: (home) => [
    { kind: 'env', name: 'CODEX_API_KEY' },
    { kind: 'env', name: 'OPENAI_API_KEY' },
    { kind: 'snapshot', hostPath: path.join(home, '.codex/auth.json'), homePath: '.codex/auth.json' },
  ],
  headless(wishes, { program }) {
    // It would fetch a catalogue of plugins that nobody can choose from without a terminal.
    const run = [program, 'exec', '--json', '--skip-git-repo-check', ...common(wishes), '-c', 'features.plugins=false']
    return command(wishes, [...run, ...wishes.args, '-'])
  },
  interactive: (wishes, { program }) => command(wishes, [program, ...common(wishes), ...wishes.args]),
  locate: (search) => locateProgram('codex', search),
  parser: () => codexParser(),
}

function common(wishes: AgentWishes): readonly string[] {
  const trusted = `projects={${JSON.stringify(wishes.cwd)}={trust_level="trusted"}}`
  return [
    // The cell is the sandbox; a second one inside it would need rights that a cell does not have.
    '--dangerously-bypass-approvals-and-sandbox',
    '-C',
    wishes.cwd,
    ...(wishes.model === null ? [] : ['-m', wishes.model]),
    ...['check_for_update_on_startup=false', 'analytics.enabled=false', trusted, ...provider(wishes)].flatMap((each) => ['-c', each]),
  ]
}

/**
 * A provider of our own where the base URL is not the vendor's, and for `OPENAI_API_KEY`, which the CLI does not read by
 * itself. With a stored login, or none, the CLI's own way to authenticate stays.
 */
function provider({ baseUrl, credential }: AgentWishes): readonly string[] {
  const key = credential === undefined ? 'CODEX_API_KEY' : credential?.kind === 'env' ? credential.name : null
  if (baseUrl === null && key !== 'OPENAI_API_KEY') return []
  const url = versioned(baseUrl ?? 'https://api.openai.com', 'v1')
  const login = key === null ? 'requires_openai_auth=true' : `env_key=${JSON.stringify(key)}`
  const entry = `name="paddock",base_url=${JSON.stringify(url)},wire_api="responses",${login}`
  return ['model_provider="paddock"', `model_providers.paddock={${entry}}`]
}

function command({ home }: AgentWishes, argv: readonly string[]): AgentCommand {
  return {
    argv,
    env: { CODEX_HOME: path.join(home, '.codex') },
    // The CLI does not start where the directory of its state does not exist.
    homeFiles: [{ path: '.codex/config.toml', content: '', overwrite: false }],
  }
}
