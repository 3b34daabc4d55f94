import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const inAMonth = Math.floor(Date.now() / 1000) + 30 * 86_400

/** Returns a JSON Web Token (RFC 7519) with an invalid signature. */
function token(claims: object): string {
  const part = (each: object): string => Buffer.from(JSON.stringify(each)).toString('base64url')
  return `${part({ alg: 'RS256' })}.${part(claims)}.${part({})}`
}

const account = { chatgpt_plan_type: 'plus', chatgpt_account_id: 'account', chatgpt_user_id: 'user' }
const openaiToken = token({ exp: inAMonth, sub: 'user', email: 'user@mail.example', 'https://api.openai.com/auth': account })

/** Worthless stored logins in the formats of the CLIs. The one of gemini works only with the vendor's own endpoint. */
export const storedLogins: Readonly<Record<string, { readonly path: string; readonly content: string }>> = {
  claude: {
    path: '.claude/.credentials.json',
    content: JSON.stringify({
      claudeAiOauth: {
        ...{ accessToken: 'worthless', refreshToken: 'worthless', expiresAt: inAMonth * 1000 },
        ...{ scopes: ['user:inference', 'user:profile'], subscriptionType: 'max' },
      },
    }),
  },
  codex: {
    path: '.codex/auth.json',
    content: JSON.stringify({
      auth_mode: 'chatgpt',
      tokens: { id_token: openaiToken, access_token: openaiToken, refresh_token: 'worthless', account_id: 'account' },
      last_refresh: new Date().toISOString(),
    }),
  },
  opencode: {
    path: '.local/share/opencode/auth.json',
    content: JSON.stringify({ local: { type: 'api', key: 'worthless' } }),
  },
}

/** Writes one of these logins into a home. Returns the file. */
export function storeLogin(home: string, agent: string): string {
  const login = storedLogins[agent]
  if (login === undefined) throw new Error(`no stored login for ${agent}`)
  const file = path.join(home, login.path)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, login.content, { mode: 0o600 })
  return file
}
