import type { Agent } from 'node:https'
import type { TokenCredential } from '@azure/identity'
import type { SecretClient, SecretClientOptions } from '@azure/keyvault-secrets'
import { PaddockError } from '../../base/errors.ts'
import { Secret } from '../../secrets/secret.ts'
import { maxSecretBytes } from '../vault/vault-schema.ts'
import { explainAzure, TooSlow } from './azure-errors.ts'
import { type AzureRef, type AzureSuffix, azureHost } from './secret-reference.ts'

export interface AzureOptions {
  readonly suffix?: AzureSuffix
  /** The client's identity. Default: the first that @azure/identity finds: variables, workload and managed identity, `az login`. */
  readonly credential?: TokenCredential
  /** The agent that makes connections. Default: one that uses the way out of this machine. */
  readonly agent?: Agent
  /** The time limit for one secret, including the sign-in before it, in milliseconds. */
  readonly timeLimitMs?: number
  /** How long a value is kept in memory, in milliseconds. */
  readonly keepMs?: number
  /** The delay before the first of two retries, in milliseconds, if the service is busy and does not report when to retry. */
  readonly retryDelayMs?: number
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly now?: () => number
}

interface Kept {
  readonly secret: Secret
  readonly until: number
}

const maxKept = 200

/**
 * Secrets of Azure Key Vault (its REST API, through Microsoft's own client). Only HTTPS to a host below the chosen suffix is used. No
 * redirect is followed and nothing is written to disk. A value is kept in memory for a few minutes. Concurrent callers wait for one answer.
 */
export class AzureSecrets implements Disposable {
  readonly #options: AzureOptions
  readonly #now: () => number
  readonly #kept = new Map<string, Kept>()
  readonly #asked = new Map<string, Promise<Secret>>()
  readonly #clients = new Map<string, Promise<SecretClient>>()
  #ended = false

  constructor(options: AzureOptions = {}) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /**
   * Returns a copy of the value, which the caller must dispose of.
   * @throws PaddockError CREDENTIAL_FAILED or LOGIN_NEEDED, with one sentence and the fix
   */
  async get(ref: AzureRef): Promise<Secret> {
    const host = azureHost(ref.vault, this.#options.suffix ?? 'vault.azure.net')
    const key = [host, ref.secret.toLowerCase(), ref.version?.toLowerCase() ?? ''].join('/')
    this.#forgetOld()
    const kept = this.#kept.get(key)
    if (kept !== undefined) return copyOf(kept.secret)
    let asked = this.#asked.get(key)
    if (asked === undefined) {
      asked = this.#ask(host, ref, key).finally(() => this.#asked.delete(key))
      this.#asked.set(key, asked)
    }
    return copyOf(await asked)
  }

  /** Zeroes the kept values. */
  [Symbol.dispose](): void {
    this.#ended = true
    for (const each of this.#kept.values()) each.secret.dispose()
    this.#kept.clear()
  }

  async #ask(host: string, ref: AzureRef, key: string): Promise<Secret> {
    const { timeLimitMs = 30_000, keepMs = 5 * 60_000 } = this.#options
    const limit = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new TooSlow(timeLimitMs))
        limit.abort()
      }, timeLimitMs)
    })
    try {
      const answer = await Promise.race([this.#read(host, ref, limit.signal), late])
      const secret = secretOf(answer.value, ref)
      if (this.#ended) {
        secret.dispose()
        throw new PaddockError('CANCELLED', 'It was stopped while a secret was read.')
      }
      this.#keep(key, secret, Math.min(keepMs, (answer.properties.expiresOn?.getTime() ?? Infinity) - Date.now()))
      return secret
    } catch (error) {
      throw explainAzure(error, host, ref)
    } finally {
      clearTimeout(timer)
    }
  }

  async #read(host: string, ref: AzureRef, abortSignal: AbortSignal): ReturnType<SecretClient['getSecret']> {
    let client = this.#clients.get(host)
    if (client === undefined) {
      client = this.#connect(host)
      this.#clients.set(host, client)
      client.catch(() => this.#clients.delete(host))
    }
    return (await client).getSecret(ref.secret, { abortSignal, ...(ref.version === undefined ? {} : { version: ref.version }) })
  }

  /** Loads the libraries only with the first reference, because they take some megabytes. */
  async #connect(host: string): Promise<SecretClient> {
    const { credential, retryDelayMs = 800 } = this.#options
    const [{ SecretClient }, { OutAgent }] = await Promise.all([
      import('@azure/keyvault-secrets'),
      import('../../egress/upstream/out-connection.ts'),
    ])
    const additionalPolicies = [{ policy: connectingBy(this.#options.agent ?? new OutAgent()), position: 'perCall' as const }]
    const who = credential ?? new (await import('@azure/identity')).DefaultAzureCredential({ additionalPolicies })
    const options: SecretClientOptions = {
      retryOptions: { maxRetries: 2, retryDelayInMs: retryDelayMs, maxRetryDelayInMs: 5_000 },
      redirectOptions: { maxRetries: 0 },
      additionalPolicies,
    }
    return new SecretClient(`https://${host}`, who, options)
  }

  /** Keeps a value for at least a second, so that concurrent callers can make their copies. */
  #keep(key: string, secret: Secret, forMs: number): void {
    const [oldest] = this.#kept.size < maxKept ? [] : this.#kept.keys()
    for (const each of [key, oldest ?? key]) {
      this.#kept.get(each)?.secret.dispose()
      this.#kept.delete(each)
    }
    this.#kept.set(key, { secret, until: this.#now() + Math.max(1_000, forMs) })
  }

  #forgetOld(): void {
    for (const [key, { secret, until }] of this.#kept) {
      if (until > this.#now()) continue
      secret.dispose()
      this.#kept.delete(key)
    }
  }
}

/** Returns a step of the client's pipeline that sets the agent for connections over TLS. The service of a managed identity is on this machine. */
export function connectingBy(agent: Agent): NonNullable<SecretClientOptions['additionalPolicies']>[number]['policy'] {
  return {
    name: 'paddockConnection',
    sendRequest(request, next) {
      if (request.url.startsWith('https:')) request.agent = agent
      return next(request)
    },
  }
}

function secretOf(value: unknown, ref: AzureRef): Secret {
  const bytes = typeof value === 'string' ? Buffer.from(value) : null
  if (bytes !== null && bytes.length > 0 && bytes.length <= maxSecretBytes) return Secret.take(`azure-kv:${ref.vault}/${ref.secret}`, bytes)
  throw new PaddockError(
    'CREDENTIAL_FAILED',
    `azure-kv://${ref.vault}/${ref.secret}: Azure Key Vault gave no value, or one beyond ${maxSecretBytes} bytes.`,
    {
      hint: `Run: az keyvault secret show --vault-name ${ref.vault} --name ${ref.secret} --query attributes`,
    },
  )
}

function copyOf(secret: Secret): Secret {
  return secret.use((bytes) => Secret.take(secret.name, Buffer.from(bytes)))
}
