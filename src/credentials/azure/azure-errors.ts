import { PaddockError } from '../../base/errors.ts'
import type { AzureRef } from './secret-reference.ts'

/** An error for a request that exceeded its time limit. */
export class TooSlow extends Error {
  readonly limitMs: number
  constructor(limitMs: number) {
    super('too slow')
    this.limitMs = limitMs
  }
}

type Explained = readonly [what: string, hint: string]

/**
 * Returns an error with one sentence and the fix for any error of Microsoft's client. The text of the server is not repeated. A code in its
 * body is printed only if it looks like one of Azure's.
 */
export function explainAzure(error: unknown, host: string, ref: AzureRef): PaddockError {
  if (error instanceof PaddockError) return error
  const [what, hint] = explained(error, host, ref)
  const code = hint === loginHint ? 'LOGIN_NEEDED' : statusOf(error) === 404 ? 'NOT_FOUND' : 'CREDENTIAL_FAILED'
  return new PaddockError(code, `azure-kv://${ref.vault}/${ref.secret}: ${what}`, { hint })
}

const loginHint = 'Run: az login. Or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET'

function explained(error: unknown, host: string, ref: AzureRef): Explained {
  if (error instanceof TooSlow)
    return [
      `${host}, or the sign-in before it, did not answer in ${error.limitMs / 1_000} s.`,
      'Check whether this machine can reach it, and try again',
    ]
  const { name = '', code = '', message = '' } = error as { name?: string; code?: unknown; message?: string }
  const entra = /\bAADSTS\d{4,9}\b/.exec(message)?.[0]
  if (isSignIn(name) || entra !== undefined) {
    if (message.startsWith('network_error'))
      return [
        'the sign-in at Entra ID cannot be reached, or has an internal problem.',
        'Check whether this machine can reach it, and try again',
      ]
    return signIn(statusOf(error) || statusOf((error as Error).cause ?? {}), entra)
  }
  const status = statusOf(error)
  const said = codeOf(error)
  const with_ = said === null ? '' : ` (${said})`
  if (status === 404)
    return [
      `there is no such secret${ref.version === undefined ? '' : ', or no such version of it'} in ${host}${with_}.`,
      `Run: az keyvault secret list --vault-name ${ref.vault}`,
    ]
  if (status === 401) return [`${host} does not accept this sign-in${with_}.`, loginHint]
  if (status === 403)
    return [
      `you are signed in, and may not read this secret, or not from this network${with_}.`,
      'Ask for the role "Key Vault Secrets User" on it, and check its firewall',
    ]
  if (status === 429) return [`${host} is asked too often just now${with_}.`, 'Wait a minute, then try again']
  if (status === 400)
    return [`${host} rejected the request${with_}.`, 'Check the names in the reference, and whether the secret is enabled']
  if (status >= 500) return [`${host} has an internal problem (${status}).`, 'Try again later; status.azure.com shows known problems']
  if (status >= 300) return [`${host} answered with the unexpected status ${status}.`, 'Check whether a proxy is in between']
  return unreached(host, codesOf(error, code))
}

function unreached(host: string, codes: readonly string[]): Explained {
  if (codes.some((each) => each === 'ENOTFOUND' || each === 'EAI_AGAIN'))
    return [`the name ${host} cannot be resolved.`, 'Check the name of the vault, the suffix of its cloud, and your network']
  if (codes.some((each) => /CERT|TLS|SELF_SIGNED|ISSUER|SIGNATURE/.test(each)))
    return [
      `${host} shows a certificate that is not trusted here.`,
      'Check whether a proxy is in between; NODE_EXTRA_CA_CERTS names its authority',
    ]
  if (codes.some((each) => /^(ECONN|EHOST|ENET|EPIPE|ETIMEDOUT)/.test(each) || each === 'REQUEST_SEND_ERROR'))
    return [`${host} cannot be reached.`, 'Check whether this machine can reach it, and try again']
  return [`${host} did not answer like Azure Key Vault.`, 'Check whether a proxy is in between, and try again']
}

function signIn(status: number, entra: string | undefined): Explained {
  const with_ = entra === undefined ? '' : ` (${entra})`
  if (status === 429) return ['the sign-in is asked too often just now.', 'Wait a minute, then try again']
  if (status >= 500) return [`the sign-in has an internal problem (${status}).`, 'Try again later; status.azure.com shows known problems']
  return [`nobody is signed in to Azure here, or the sign-in is not accepted${with_}.`, loginHint]
}

/**
 * Returns true for the error classes of @azure/identity and its library. Checks names, because both are loaded only with the first
 * reference.
 */
function isSignIn(name: string): boolean {
  return /^(?:Authentication\w*|AggregateAuthentication|CredentialUnavailable|ClientAuth|Server|InteractionRequiredAuth|ClientConfiguration)Error$/.test(
    name,
  )
}

function statusOf(error: unknown): number {
  const { statusCode, status } = error as { statusCode?: unknown; status?: unknown }
  const found = typeof statusCode === 'number' ? statusCode : typeof status === 'number' ? status : Number(status)
  return Number.isInteger(found) ? found : 0
}

/** Returns the code in the body (`SecretNotFound`), if it looks like one of Azure's. */
function codeOf(error: unknown): string | null {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Za-z]{2,49}$/.test(code) ? code : null
}

/** Returns the codes of an error and of its causes. */
function codesOf(error: unknown, own: unknown): readonly string[] {
  const found = [String(own)]
  let each = error as { cause?: unknown; code?: unknown } | undefined
  for (let depth = 0; depth < 5 && typeof each === 'object' && each !== null; depth++) {
    found.push(String(each.code ?? ''))
    each = each.cause as typeof each
  }
  return found
}
