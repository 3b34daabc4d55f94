import type { CredentialUse } from './adapter.ts'

const bearer = { kind: 'header', name: 'authorization', scheme: 'Bearer' } as const

/** The authentication of the vendors' APIs, and the paths that agents use. None of these paths creates keys. */
export const vendorApis = {
  anthropic: {
    hosts: [
      {
        host: 'api.anthropic.com',
        paths: ['/v1/messages/**', '/v1/models/**', '/v1/files/**', '/v1/skills/**', '/api/claude_code/**', '/api/claude_cli/**'],
      },
    ],
    places: [{ kind: 'header', name: 'x-api-key' }, bearer],
  },
  openai: {
    hosts: [
      { host: 'api.openai.com', paths: ['/v1/responses/**', '/v1/chat/completions/**', '/v1/models/**', '/v1/embeddings', '/v1/files/**'] },
    ],
    places: [bearer],
  },
  google: {
    hosts: [
      {
        host: 'generativelanguage.googleapis.com',
        paths: ['/v1/models/**', '/v1beta/models/**', '/v1alpha/models/**', '/v1beta/cachedContents/**', '/v1beta/files/**'],
      },
    ],
    places: [
      { kind: 'header', name: 'x-goog-api-key' },
      { kind: 'query', name: 'key' },
    ],
  },
  vertex: {
    hosts: [{ host: 'aiplatform.googleapis.com', paths: ['/v1/**', '/v1beta1/**'] }],
    places: [
      { kind: 'header', name: 'x-goog-api-key' },
      { kind: 'query', name: 'key' },
    ],
  },
  xai: {
    hosts: [{ host: 'api.x.ai', paths: ['/v1/responses/**', '/v1/chat/completions/**', '/v1/messages/**', '/v1/models/**'] }],
    places: [bearer],
  },
  /** A ChatGPT login. Its tokens are sent to its own API, not to the one for keys. */
  chatgpt: {
    hosts: [
      {
        host: 'chatgpt.com',
        paths: ['/backend-api/codex/**', '/backend-api/wham/accounts/check', '/backend-api/wham/settings/user', '/backend-api/wham/usage'],
      },
    ],
    places: [bearer],
  },
} as const satisfies Readonly<Record<string, CredentialUse>>

export { bearer }
