import type { Secret } from '../secrets/secret.ts'
import { AzureSecrets } from './azure/key-vault.ts'
import { resolveSecretRef, type SecretRef } from './secret-ref.ts'
import { accessVault, type VaultMeans } from './vault/vault-access.ts'
import type { SecretPlace } from './vault/vault-schema.ts'

/** A secret, with the hosts to which its store allows it to be sent. */
export interface KeptSecret {
  readonly secret: Secret
  /** The allowed hosts; null: the secret's store has no such list. */
  readonly hosts: readonly string[] | null
  readonly place: SecretPlace | null
}

/** Returns secrets from the vault, the environment or Azure Key Vault. Rejects with a PaddockError. */
export type SecretKeeper = (ref: SecretRef) => Promise<KeptSecret>

/** The dependencies for reading secrets. */
export interface SecretKeeperMeans {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly vault: VaultMeans
}

/**
 * Returns a function that reads secrets by their references. The caller owns the secrets.
 * @throws (by that function) PaddockError NOT_FOUND, VAULT_LOCKED, CREDENTIAL_FAILED, LOGIN_NEEDED or BAD_INPUT
 */
export function secretKeeper({ env, vault }: SecretKeeperMeans): SecretKeeper {
  let azure: AzureSecrets | null = null
  return async (ref) => {
    if (ref.from === 'vault') {
      using open = await accessVault(vault)
      const { secret, entry } = await open.get(ref.name)
      return { secret, hosts: entry.hosts, place: entry.place ?? null }
    }
    const sources = { env, vault: () => accessVault(vault), azure: async () => (azure ??= new AzureSecrets()) }
    return { secret: await resolveSecretRef(ref, sources), hosts: null, place: null }
  }
}
