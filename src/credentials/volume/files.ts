import type { LoginAgent } from '../login.ts'

/** The volume that is meant where none is named. */
export const defaultVolume = 'default'

/** What a login leaves in a home. Paths relative to it. */
export interface LoginFiles {
  /** The login itself, in the directory of the CLI's state. */
  readonly file: string
  /** Where the CLI notes whose it is: these keys of that file are kept, and nothing else of it. */
  readonly account?: { readonly path: string; readonly keys: readonly string[] }
  /** The file holds several logins, and the next one is added to them. */
  readonly adds?: boolean
}

export const loginFiles: Readonly<Record<Exclude<LoginAgent, 'gh'>, LoginFiles>> = {
  claude: { file: '.claude/.credentials.json', account: { path: '.claude/.claude.json', keys: ['oauthAccount'] } },
  codex: { file: '.codex/auth.json' },
  gemini: { file: '.gemini/oauth_creds.json', account: { path: '.gemini/google_accounts.json', keys: ['active'] } },
  grok: { file: '.grok/auth.json' },
  opencode: { file: '.local/share/opencode/auth.json', adds: true },
}
