import { lockHolder } from '../../files/lock.ts'
import type { HostLogin } from '../agent-login.ts'
import { type LoginStore, openStore } from '../refresh/login-store.ts'
import { tryHold } from './hold-volume.ts'
import { placeIn, type Volume } from './volume.ts'

/** Returns the store of a login in a volume that this process does not hold. Each renewal holds the volume. */
export function volumeStore(login: HostLogin, volume: Volume): LoginStore {
  return {
    ...heldStore(login, volume),
    async lock() {
      const held = await tryHold(volume, 'a renewal', 0)
      return held === null ? null : { [Symbol.asyncDispose]: async () => held[Symbol.dispose]() }
    },
    holder: () => lockHolder(volume.lockFile),
  }
}

/** Returns the store of a login in a volume that this process holds. */
export function heldStore(login: HostLogin, volume: Volume): LoginStore {
  const lock = async () => ({ [Symbol.asyncDispose]: async () => undefined })
  return { ...openStore(login, placeIn(volume.format, volume.home)), lock }
}
