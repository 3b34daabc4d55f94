import type { Secret } from '../../secrets/secret.ts'
import { type AgentClient, connectAgent } from './agent-client.ts'
import type { VaultEntry } from './entries.ts'
import type { Keyring } from './keyring.ts'
import { keyFromKeyring } from './keyring-key.ts'
import { openVault, type Vault, vaultIsLocked } from './vault.ts'
import { vaultPath } from './vault-file.ts'

/** An unlocked vault, in this or another process. Disposing of it locks a vault of this process, but leaves that of another unlocked. */
export interface VaultAccess extends Pick<AgentClient, 'list' | 'entry' | 'get' | 'set' | 'remove'>, Disposable {}

/** The dependencies for opening the vault. */
export interface VaultMeans {
  readonly configDirectory: string
  readonly stateDirectory: string
  readonly keyring: (vaultFile: string) => Keyring
  /** Asks for a passphrase if there is no other way. If absent, a locked vault stays locked. */
  readonly passphrase?: (file: string) => Promise<Vault>
}

/**
 * Opens the vault through the process that keeps it unlocked, with the keyring, or by asking for the passphrase, in this order.
 * @throws PaddockError VAULT_LOCKED
 */
export async function accessVault(means: VaultMeans): Promise<VaultAccess> {
  const agent = await connectAgent(means.stateDirectory)
  if (agent !== null) {
    // A process that was started for a vault at another path does not count.
    if ((await agent.status()).file === vaultPath(means.configDirectory)) return agent
    agent[Symbol.dispose]()
  }
  const locked = await openVault(means.configDirectory)
  if (locked.kind === 'keyring') return directly(await locked.unlock(await keyFromKeyring(means.keyring(locked.file))))
  if (means.passphrase === undefined) throw vaultIsLocked()
  return directly(await means.passphrase(locked.file))
}

function directly(vault: Vault): VaultAccess {
  return {
    list: () => Promise.resolve(vault.list()),
    get: (name): Promise<{ secret: Secret; entry: VaultEntry }> =>
      Promise.resolve().then(() => ({ secret: vault.get(name), entry: vault.entry(name) })),
    entry: (name) => Promise.resolve().then(() => vault.entry(name)),
    set: (wish) => vault.set(wish),
    remove: (name) => vault.remove(name),
    [Symbol.dispose]: () => vault.lock(),
  }
}
