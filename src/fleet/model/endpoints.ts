import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { PaddockError } from '../../base/errors.ts'
import type { SecretKeeper } from '../../credentials/secret-keeper.ts'
import { parseSecretRef } from '../../credentials/secret-ref.ts'
import { matchesPattern } from '../../egress/policy/host-pattern.ts'
import type { Secret } from '../../secrets/secret.ts'
import type { Manifest } from '../manifest/manifest-schema.ts'
import { boundedFetch } from './bounded-fetch.ts'

/** The providers' own endpoints. */
const vendors = { anthropic: 'https://api.anthropic.com/v1', openai: 'https://api.openai.com/v1' } as const

/** A model at one endpoint. */
export interface Endpoint {
  /** A name such as `claude-x at api.anthropic.com`. */
  readonly name: string
  readonly model: LanguageModelV4
}

type Wish = Pick<Manifest, 'provider' | 'model' | 'baseUrl' | 'apiKey' | 'keyless'>

/**
 * Opens the endpoints of a model and its fallbacks, with their keys, which stay in this process.
 * @throws PaddockError NOT_FOUND, VAULT_LOCKED or CREDENTIAL_FAILED for a key; NOT_ALLOWED for a key that is bound to other hosts
 */
export async function openEndpoints(
  manifest: Manifest,
  secrets: SecretKeeper,
): Promise<{ readonly endpoints: readonly Endpoint[] } & Disposable> {
  // Keep the keys until the end, so that they are redacted in all output.
  using opening = new DisposableStack()
  const endpoints: Endpoint[] = []
  for (const each of [manifest, ...(manifest.fallbacks ?? [])]) endpoints.push(await openEndpoint(each, secrets, opening))
  const open = opening.move()
  return { endpoints, [Symbol.dispose]: () => open.dispose() }
}

async function openEndpoint(
  { provider = 'openai-compatible', model = '', baseUrl, apiKey }: Wish,
  secrets: SecretKeeper,
  open: DisposableStack,
): Promise<Endpoint> {
  const root = baseUrl ?? (provider === 'openai-compatible' ? '' : vendors[provider])
  const { host, hostname } = new URL(root)
  const key = apiKey === undefined ? null : (await keyFor(apiKey, hostname, secrets, open)).text()
  const settings = { baseURL: root.replace(/\/+$/, ''), fetch: boundedFetch(key === null ? ['authorization', 'x-api-key'] : []) }
  // Without an explicit key, these libraries use one from the environment.
  const apiKeyText = key ?? 'none'
  return { name: `${model} at ${host}`, model: languageModel() }

  function languageModel(): LanguageModelV4 {
    if (provider === 'anthropic') return createAnthropic({ ...settings, apiKey: apiKeyText })(model)
    if (provider === 'openai') return createOpenAI({ ...settings, apiKey: apiKeyText })(model)
    return createOpenAICompatible({ ...settings, name: 'endpoint', apiKey: apiKeyText, includeUsage: true })(model)
  }
}

async function keyFor(reference: string, host: string, secrets: SecretKeeper, open: DisposableStack): Promise<Secret> {
  const { secret, hosts } = await secrets(parseSecretRef(reference, 'apiKey'))
  open.use(secret)
  if (hosts !== null && !hosts.some((each) => matchesPattern(each, host)))
    throw new PaddockError('NOT_ALLOWED', `${reference} may not go to ${host}: it is bound to ${hosts.join(', ') || 'no host'}.`, {
      hint: `paddock vault set NAME --host ${host}`,
    })
  return secret
}
