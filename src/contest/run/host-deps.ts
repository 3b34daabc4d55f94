import { cpus } from 'node:os'
import { configuredPlace } from '../../config/base-place.ts'
import { trustOf, trustStore } from '../../config/trusted-projects.ts'
import type { Host } from '../../host.ts'
import type { ContestDeps } from '../state/contest-deps.ts'

/** Returns the dependencies of a contest on this machine. */
export async function contestDeps(host: Host, { signal, progress }: Pick<ContestDeps, 'signal' | 'progress'>): Promise<ContestDeps> {
  return {
    ...host,
    audit: host.audit.write,
    isTrusted: async (file, sha256) => (await trustOf(trustStore(host.paths), file, sha256)) === 'trusted',
    place: await configuredPlace(host.paths),
    now: () => new Date(),
    signal,
    progress,
    machine: { memoryBytes: host.machine.memoryBytes, cpus: cpus().length },
  }
}
