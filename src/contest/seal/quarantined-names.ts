import { lstat, realpath } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { redact } from '../../base/errors.ts'
import { printableName } from '../../base/text.ts'
import { writeJson } from '../../files/atomic.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { RunHost } from '../../host.ts'
import type { AttemptOutput } from '../config/contest-layout.ts'

/** The schema of an attempt's quarantined.json: the files in its `out` that were quarantined. */
const quarantinedSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** Old and new paths, relative to `out`. */
  quarantined: z.array(z.strictObject({ path: z.string(), movedTo: z.string() })),
  /** True: `out` could not be searched completely, and was removed. */
  removed: z.boolean(),
})
export type Quarantined = z.output<typeof quarantinedSchema>

/**
 * Quarantines everything in an attempt's `out` that a program of the host would run or obey later, in the same way as files that a cell
 * newly made in a project. A directory that cannot be searched completely is removed. The cell must have ended. Returns null if the
 * quarantine was done before, or if there is no such directory.
 */
export async function quarantine(
  { out, quarantined: record }: AttemptOutput,
  host: Pick<RunHost, 'quarantine'>,
): Promise<Quarantined | null> {
  if (await isThere(record)) return null
  if (!(await isThere(out))) return null
  // The search refuses a root behind a link.
  const root = path.join(await realpath(path.dirname(out)), path.basename(out))
  const found = await host.quarantine(root)
  const removed = !found.isWhole
  if (removed) await removeTree(root)
  const shown = (name: string): string => redact(printableName(name))
  const result: Quarantined = {
    schemaVersion: 1,
    quarantined: found.quarantined.map((each) => ({ path: shown(each.path), movedTo: shown(each.movedTo) })),
    removed,
  }
  await writeJson(record, result)
  return result
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null)) !== null
}
