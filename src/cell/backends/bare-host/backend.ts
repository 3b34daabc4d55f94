import type { Backend } from '../../backend.ts'
import type { UserSession } from '../../resources/systemd-scope.ts'
import { sweepTraces, tracedProcesses } from '../traces.ts'

/** Returns the backend of L0, which starts commands on the bare host: it keeps limits and ends processes, and protects nothing. */
export function bareHost(session: UserSession): Backend {
  return {
    name: 'none',
    postures: ['L0'],
    look: async () => (await import('./limits.ts')).bareHostLook(session),
    start: async (request) => (await import('./start-command.ts')).start(request, session),
    sweep: sweepTraces,
    processes: tracedProcesses,
  }
}
