import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import { postures } from '../base/posture.ts'
import { egressModes } from '../egress/policy/egress-policy.ts'
import { writeAtomic } from '../files/atomic.ts'
import { NewerFile, parseStored } from '../files/stored-json.ts'
import { thisDistribution } from '../system/distribution.ts'
import type { Verification } from './verify.ts'

export const recordedSchema = z.object({
  schemaVersion: z.literal(1),
  posture: z.enum(postures),
  backend: z.string(),
  /** The text that the backend's program prints as its version, or an empty one. */
  backendVersion: z.string(),
  egress: z.enum(egressModes),
  user: z.enum(['root', 'user']),
  at: z.string(),
  version: z.string(),
  system: z.string(),
  statuses: z.record(z.string(), z.enum(['held', 'broken', 'unenforceable'])),
})

/** The last whole `paddock verify` of an isolation level, a policy and a kind of user on a machine. `at`: RFC 3339. `version`: of Paddock. */
export type RecordedRun = Readonly<z.output<typeof recordedSchema>>

const directoryOf = (state: string): string => path.join(state, 'verified')

/** Stores the results of a whole run in place of those of the last one of the same kind. `versions`: of Paddock and of the backend. */
export async function recordRun(
  state: string,
  done: Verification,
  versions: { readonly paddock: string; readonly backend: string },
  now = new Date(),
): Promise<void> {
  const { posture, backend, egress } = done
  mkdirSync(directoryOf(state), { recursive: true, mode: 0o700 })
  const user = process.getuid?.() === 0 ? 'root' : 'user'
  const run: RecordedRun = {
    schemaVersion: 1,
    posture,
    backend,
    backendVersion: versions.backend,
    egress,
    user,
    at: now.toISOString(),
    version: versions.paddock,
    system: `${thisDistribution().name}, ${process.platform} ${release()} ${process.arch}`,
    statuses: Object.fromEntries(done.guarantees.map(({ id, status }) => [id, status])),
  }
  const file = path.join(directoryOf(state), `${backend}-${posture}-${egress}-${user}.json`)
  await writeAtomic(file, `${JSON.stringify(run, null, 1)}\n`, { mode: 0o600 })
}

/** Returns the recorded runs of this machine, the newest first. Files that cannot be read are left out, but those of a newer Paddock refused. */
export function recordedRuns(state: string): readonly RecordedRun[] {
  let names: readonly string[]
  try {
    names = readdirSync(directoryOf(state))
  } catch {
    return []
  }
  return names
    .filter((each) => each.endsWith('.json'))
    .flatMap((each) => {
      const file = path.join(directoryOf(state), each)
      try {
        return [parseStored(file, readFileSync(file), recordedSchema)]
      } catch (error) {
        if (error instanceof NewerFile) throw error
        return []
      }
    })
    .toSorted((one, other) => (one.at < other.at ? 1 : -1))
}
