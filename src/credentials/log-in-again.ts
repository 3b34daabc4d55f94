import type { LoginAgent } from './login.ts'

const commands: Readonly<Record<LoginAgent, string>> = {
  claude: 'claude /login',
  codex: 'codex login',
  gemini: 'gemini (and choose "Login with Google")',
  grok: 'grok login',
  opencode: 'opencode auth login',
  gh: 'gh auth login',
}

/** The mend for a login that is of no use. */
export function logInAgain(agent: LoginAgent, volume?: string): string {
  if (volume === undefined) return `log in again with: ${commands[agent]}`
  return `log in again with: paddock login ${agent}${volume === 'default' ? '' : ` --volume ${volume}`}`
}

/** The mend where the agent's own program can still renew its login. */
export function letItRenew(agent: LoginAgent): string {
  return `start ${agent} once outside of a cell, it renews its login itself; or ${logInAgain(agent)}`
}
