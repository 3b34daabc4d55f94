import type { Backend } from '../../backend.ts'
import type { UserSession } from '../../resources/systemd-scope.ts'
import { sweepTraces, tracedProcesses } from '../traces.ts'
import { bareHostLook } from './limits.ts'
import { start } from './start-command.ts'

/** Returns the backend of L0, which starts commands on the bare host: it keeps limits and ends processes, and protects nothing. */
export function bareHost(session: UserSession): Backend {
  return {
    name: 'none',
    postures: ['L0'],
    look: async () => bareHostLook(session),
    start: (request) => start(request, session),
    sweep: sweepTraces,
    processes: tracedProcesses,
  }
}
