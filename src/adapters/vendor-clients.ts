import type { OAuthClient } from '../credentials/refresh/oauth.ts'

/**
 * The OAuth clients as which the programs of several agents renew logins at one vendor. They were taken from the programs themselves
 * (claude 2.1.330, codex 0.169, gemini 0.61, opencode 1.18). None was tried with the real service. The tests check that these requests are
 * made, and how the answers are used.
 */
export const vendorClients = {
  anthropic: {
    url: 'https://platform.claude.com/v1/oauth/token',
    id: '9d1c250a-e61b-44d9-88ed-5944d1962f5e',
    secret: null,
    encoding: 'json',
  },
  openai: { url: 'https://auth.openai.com/oauth/token', id: 'app_EMoamEEZ73f0CkXaXp7hrann', secret: null, encoding: 'json' },
} as const satisfies Readonly<Record<string, OAuthClient>>
