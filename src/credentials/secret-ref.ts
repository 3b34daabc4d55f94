import { PaddockError } from '../base/errors.ts'
import { Secret } from '../secrets/secret.ts'
import { type AzureRef, parseAzureRef } from './azure/secret-reference.ts'
import { checkedName } from './vault/secret-name.ts'

/** A reference to a secret, as configuration names its source. */
export type SecretRef =
  | { readonly from: 'vault'; readonly name: string }
  | { readonly from: 'env'; readonly name: string }
  | ({ readonly from: 'azure-kv' } & AzureRef)

/** The sources of references. Each source is used only when a reference needs it. */
export interface SecretSources {
  /** The environment of the user's own command. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Opens an unlocked vault, which `resolveSecretRef` disposes of. */
  readonly vault: () => Promise<{ get(name: string): Promise<{ readonly secret: Secret }> } & Disposable>
  readonly azure: () => Promise<{ get(ref: AzureRef): Promise<Secret> }>
}

const variable = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/

/**
 * Parses `vault:NAME`, `env:NAME` or `azure-kv://vault/secret[/version]`. `place` is the origin of the text, for messages.
 * @throws PaddockError BAD_INPUT
 */
export function parseSecretRef(text: string, place: string): SecretRef {
  if (text.startsWith('vault:')) return { from: 'vault', name: checkedName(text.slice('vault:'.length)) }
  if (text.startsWith('azure-kv:')) return { from: 'azure-kv', ...parseAzureRef(text, place) }
  const name = text.startsWith('env:') ? text.slice('env:'.length) : null
  if (name !== null && variable.test(name)) return { from: 'env', name }
  // Text that is not a reference may be the secret itself, so it is not repeated.
  throw new PaddockError('BAD_INPUT', `${place}: this does not say where a secret is.`, {
    hint: 'Write vault:NAME, env:NAME or azure-kv://vault/secret; never write the secret itself here',
  })
}

/**
 * Returns the secret for a reference. The caller must dispose of it.
 * @throws PaddockError NOT_FOUND, VAULT_LOCKED, CREDENTIAL_FAILED, BAD_INPUT with one sentence and the fix
 */
export async function resolveSecretRef(ref: SecretRef, sources: SecretSources): Promise<Secret> {
  if (ref.from === 'azure-kv') return (await sources.azure()).get(ref)
  if (ref.from === 'vault') {
    using vault = await sources.vault()
    return (await vault.get(ref.name)).secret
  }
  const value = Object.hasOwn(sources.env, ref.name) ? sources.env[ref.name] : undefined
  if (value) return Secret.fromText(`env:${ref.name}`, value)
  throw new PaddockError(
    'NOT_FOUND',
    `env:${ref.name}: this variable is ${value === '' ? 'empty' : 'not set'} where Paddock was started.`,
    {
      hint: `Set it in your shell, or keep the secret in the vault: paddock vault set ${ref.name} --host HOST`,
    },
  )
}
