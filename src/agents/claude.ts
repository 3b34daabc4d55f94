import path from 'node:path'
import type { AgentAdapter, AgentCommand, AgentWishes } from './adapter.ts'
import { rootOf } from './base-url.ts'
import { claudeParser } from './claude-output.ts'
import { allowHosts } from './hosts.ts'
import { locateProgram } from './locate.ts'

/** Claude Code. */
export const claude: AgentAdapter = {
  name: 'claude',
  family: 'anthropic',
  tried: true,
  program: 'claude',
  installHint: 'npm install -g @anthropic-ai/claude-code',
  hosts: allowHosts('claude', ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai']),
  stateDirectory: '.claude',
  credentials: (home) => [
    { kind: 'env', name: 'ANTHROPIC_API_KEY' },
    { kind: 'env', name: 'ANTHROPIC_AUTH_TOKEN' },
    { kind: 'env', name: 'CLAUDE_CODE_OAUTH_TOKEN' },
    { kind: 'snapshot', hostPath: path.join(home, '.claude/.credentials.json'), homePath: '.claude/.credentials.json' },
  ],
  headless: (wishes, { program }) =>
    command(wishes, [program, '-p', '--output-format', 'stream-json', '--verbose', ...common(wishes), ...wishes.args]),
  interactive: (wishes, { program }) => command(wishes, [program, ...common(wishes), ...wishes.args]),
  locate: (search) => locateProgram('claude', search),
  parser: () => claudeParser(),
}

function common({ model }: AgentWishes): readonly string[] {
  return ['--dangerously-skip-permissions', ...(model === null ? [] : ['--model', model])]
}

function command({ home, cwd, baseUrl }: AgentWishes, argv: readonly string[]): AgentCommand {
  const state = { hasCompletedOnboarding: true, projects: { [cwd]: { hasTrustDialogAccepted: true } } }
  const settings = { skipDangerousModePermissionPrompt: true }
  return {
    argv,
    env: {
      CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
      // The CLI refuses to skip permissions as uid 0 outside of a sandbox. The cell is one.
      IS_SANDBOX: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
      ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: rootOf(baseUrl) }),
    },
    homeFiles: [
      { path: '.claude/.claude.json', content: JSON.stringify(state), overwrite: false },
      { path: '.claude/settings.json', content: JSON.stringify(settings), overwrite: false },
    ],
  }
}
