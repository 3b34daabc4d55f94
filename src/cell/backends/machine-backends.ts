import type { Backends } from '../../base/cell-place.ts'
import type { Backend } from '../backend.ts'
import { bubblewrap } from './bubblewrap/backend.ts'
import { seatbelt } from './seatbelt/backend.ts'

/** Returns all backends that build cells on this machine. */
export function machineBackends(env: NodeJS.ProcessEnv): Backends<Backend> {
  if (process.platform === 'darwin') return [seatbelt()]
  return [bubblewrap({ searchPath: env['PATH'] ?? '', sessionEnv: sessionEnvironment(env) })]
}

function sessionEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
