import type { Backend } from '../../backend.ts'
import { sweepTraces, tracedProcesses } from '../traces.ts'
import { notRun } from './not-run.ts'

/**
 * Returns the backend that uses sandbox-exec(1) on macOS. NOT RUN ON MACOS: it was written from documentation and published profiles, and
 * only the pure parts have been tested. `weaker` (arguments.ts) lists the differences from Linux.
 */
export function seatbelt(): Backend {
  return {
    name: 'seatbelt',
    postures: ['L2'],
    caution: notRun,
    look: async () => (await import('./seatbelt-facts.ts')).seatbeltLook,
    start: async (request) => (await import('./start-seatbelt.ts')).start(request),
    sweep: sweepTraces,
    processes: tracedProcesses,
  }
}
