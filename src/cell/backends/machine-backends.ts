import type { Backends } from '../../base/cell-place.ts'
import type { Backend } from '../backend.ts'
import { bareHost } from './bare-host/backend.ts'
import { bubblewrap } from './bubblewrap/backend.ts'
import { seatbelt } from './seatbelt/backend.ts'

/** Returns all backends of this machine. */
export function machineBackends(env: NodeJS.ProcessEnv): Backends<Backend> {
  if (process.platform === 'darwin') return [seatbelt()]
  const session = { searchPath: env['PATH'] ?? '', sessionEnv: sessionEnvironment(env) }
  return [bubblewrap(session), bareHost(session)]
}

function sessionEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
