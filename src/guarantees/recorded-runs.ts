import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import { postures } from '../base/posture.ts'
import { egressModes } from '../egress/policy/egress-policy.ts'
import { writeAtomic } from '../files/atomic.ts'
import { NewerFile, parseStored } from '../files/stored-json.ts'
import type { Verification } from './verify.ts'

const recordedSchema = z.object({
  schemaVersion: z.literal(1),
  posture: z.enum(postures),
  backend: z.string(),
  egress: z.enum(egressModes),
  at: z.string(),
  version: z.string(),
  system: z.string(),
  statuses: z.record(z.string(), z.enum(['held', 'broken', 'unenforceable'])),
})

/** What the last whole `paddock verify` of an isolation level and an egress policy found on this machine. `at`: RFC 3339. */
export type RecordedRun = Readonly<z.output<typeof recordedSchema>>

const directoryOf = (state: string): string => path.join(state, 'verified')

/** Stores the results of a whole run in place of those of the last one of the same kind. `version`: that of Paddock. */
export async function recordRun(state: string, done: Verification, version: string, now = new Date()): Promise<void> {
  const { posture, backend, egress } = done
  mkdirSync(directoryOf(state), { recursive: true, mode: 0o700 })
  const run: RecordedRun = {
    schemaVersion: 1,
    posture,
    backend,
    egress,
    at: now.toISOString(),
    version,
    system: `${process.platform} ${release()} ${process.arch}`,
    statuses: Object.fromEntries(done.guarantees.map(({ id, status }) => [id, status])),
  }
  await writeAtomic(path.join(directoryOf(state), `${backend}-${posture}-${egress}.json`), JSON.stringify(run), { mode: 0o600 })
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
