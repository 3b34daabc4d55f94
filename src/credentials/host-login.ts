import type { HostLogin, LoginAgent, LoginPlace } from './login.ts'
import { readClaude } from './logins/claude.ts'
import { readCodex } from './logins/codex.ts'
import { readGemini } from './logins/gemini.ts'
import { readGh } from './logins/gh.ts'
import { readGrok } from './logins/grok.ts'
import { readOpencode } from './logins/opencode.ts'

export type { HostLogin, LoginAgent, LoginPlace, LoginSource } from './login.ts'
export { disposeLogin, loginAgents, nameOfLogin, placeOfLogin } from './login.ts'

const readers: Readonly<Record<LoginAgent, (place: LoginPlace) => Promise<readonly HostLogin[]>>> = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  grok: readGrok,
  opencode: readOpencode,
  gh: readGh,
}

/**
 * The logins of one agent on this machine; none: it is not logged in. Throws BAD_INPUT for a file that is truncated, foreign or of a
 * version that is not known, and LOGIN_NEEDED for a Keychain that does not hand it out: one sentence with the place, and the mend; never
 * a content. The caller owns the secrets.
 */
export function readHostLogins(agent: LoginAgent, place: LoginPlace): Promise<readonly HostLogin[]> {
  return readers[agent](place)
}
