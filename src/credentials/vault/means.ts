import type { Paths } from '../../paths.ts'
import type { Secret } from '../../secrets/secret.ts'
import type { VaultMeans } from './access.ts'
import { PassphraseKey } from './age-key.ts'
import { systemKeyring } from './keyring.ts'
import { openVault } from './vault.ts'

/** How the vault of this user is opened. With `askPassphrase`, a passphrase that nothing else gives is asked for. */
export function vaultMeans(paths: Paths, env: NodeJS.ProcessEnv, askPassphrase?: () => Promise<Secret>): VaultMeans {
  return {
    configDirectory: paths.config,
    stateDirectory: paths.state,
    keyring: (vaultFile) => systemKeyring({ vaultFile, env: keyringEnvironment(env) }),
    ...(askPassphrase === undefined
      ? {}
      : { passphrase: async () => (await openVault(paths.config)).unlock(new PassphraseKey(await askPassphrase())) }),
  }
}

/** What the program of a keyring needs to find the session of its user, and no more. */
function keyringEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['PATH', 'HOME', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'LANG']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
