import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { loginFormats } from '../../src/adapters/agent-facts.ts'
import type { HostLogin, LoginPlace } from '../../src/credentials/agent-login.ts'
import { ghFormat } from '../../src/credentials/forge/gh.ts'
import type { IssuedTokens } from './oauth-server.ts'

/** The login file of each CLI, relative to the home. */
export const loginFiles = {
  claude: '.claude/.credentials.json',
  codex: '.codex/auth.json',
  gemini: '.gemini/oauth_creds.json',
  opencode: '.local/share/opencode/auth.json',
} as const

const formats = [...(await loginFormats()), ghFormat]

/** The names of all agents with logins, and `gh`. */
export const loginAgents: readonly string[] = formats.map((each) => each.agent)

/** Returns the logins of one agent, or of `gh`, in a home. */
export function readHostLogins(agent: string, place: LoginPlace): Promise<readonly HostLogin[]> {
  const format = formats.find((each) => each.agent === agent)
  if (format === undefined) throw new Error(`no logins of ${agent}`)
  return format.read(place)
}

/** Writes a `gemini` for PATH into a directory, with or without an OAuth client in its source. Returns the directory. */
export function putGemini(directory: string, client: { readonly id: string; readonly secret: string } | null): string {
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, 'gemini'), '#!/bin/sh\n', { mode: 0o755 })
  const source = client === null ? '' : `const OAUTH_CLIENT_ID = "${client.id}"\nconst OAUTH_CLIENT_SECRET = "${client.secret}"\n`
  writeFileSync(path.join(directory, 'oauth.js'), source)
  return directory
}

/** Writes a login into a home in the format of the CLI, with fields that Paddock does not know. Returns the file. */
export function putLogin(home: string, agent: keyof typeof loginFiles, tokens: IssuedTokens): string {
  const { access, refresh, id, expiresAt } = tokens
  const contents = {
    claude: {
      claudeAiOauth: {
        accessToken: access,
        refreshToken: refresh,
        expiresAt: expiresAt.getTime(),
        scopes: ['user:inference', 'user:profile'],
        subscriptionType: 'max',
        unknownToUs: { kept: true },
      },
      mcpOAuth: { kept: 1 },
    },
    codex: {
      auth_mode: 'chatgpt',
      OPENAI_API_KEY: null,
      tokens: { id_token: id, access_token: access, refresh_token: refresh, account_id: 'account-1', unknownToUs: 2 },
      last_refresh: '2026-01-01T00:00:00Z',
    },
    gemini: {
      access_token: access,
      refresh_token: refresh,
      id_token: id,
      scope: 'a b',
      token_type: 'Bearer',
      expiry_date: expiresAt.getTime(),
    },
    opencode: {
      openai: { type: 'oauth', access, refresh, expires: expiresAt.getTime(), accountId: 'account-1' },
      groq: { type: 'api', key: 'gsk-an-api-key-of-somebody' },
    },
  }
  const file = path.join(home, loginFiles[agent])
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify(contents[agent], null, agent === 'claude' ? undefined : 2))
  chmodSync(file, 0o600)
  return file
}
