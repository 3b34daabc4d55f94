import type { Backend } from '../backend.ts'
import { bubblewrap } from './bubblewrap/backend.ts'
import { seatbelt } from './seatbelt/backend.ts'

/** Returns the backend that builds the cells of this machine. */
export function machineBackend(env: NodeJS.ProcessEnv): Backend {
  if (process.platform === 'darwin') return seatbelt()
  return bubblewrap({ searchPath: env['PATH'] ?? '', sessionEnv: sessionEnvironment(env) })
}

function sessionEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
