import type { Paths } from '../../base/paths.ts'
import type { Secret } from '../../secrets/secret.ts'
import { hostSearchPath } from '../../system/host-program.ts'
import { PassphraseKey } from './age-key.ts'
import { systemKeyring } from './keyring.ts'
import { openVault } from './vault.ts'
import type { VaultMeans } from './vault-access.ts'

/**
 * Returns the dependencies for opening this user's vault. With `askPassphrase`, the user is asked for the passphrase if there is no other
 * way.
 */
export function vaultMeans(paths: Paths, env: NodeJS.ProcessEnv, askPassphrase?: () => Promise<Secret>): VaultMeans {
  return {
    configDirectory: paths.config,
    stateDirectory: paths.state,
    keyring: (vaultFile) => systemKeyring({ vaultFile, searchPath: env['PATH'] ?? '', env: keyringEnvironment(env) }),
    ...(askPassphrase === undefined
      ? {}
      : { passphrase: async () => (await openVault(paths.config)).unlock(new PassphraseKey(await askPassphrase())) }),
  }
}

/** Returns only the variables with which a keyring's program finds the user's session. */
function keyringEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['HOME', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'LANG']
  const session = Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
  return { ...session, PATH: hostSearchPath(env['PATH'] ?? '') }
}
