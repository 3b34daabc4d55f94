import { createHash } from 'node:crypto'
import path from 'node:path'
import * as z from 'zod'
import { writeJson } from '../../files/atomic.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { storedOrNull } from '../../files/stored-json.ts'

const markSchema = z.object({ startedAt: z.number(), endedAt: z.number(), heads: z.array(z.string().regex(/^[0-9a-f]{40,64}$/)) })
const fileSchema = z.object({ schemaVersion: z.literal(1), project: z.string(), runs: z.array(markSchema) })

/** A run that moved a HEAD of its repository: its time in milliseconds since the epoch, and the commits that were checked out before. */
export interface RunMark {
  readonly startedAt: number
  readonly endedAt: number
  readonly heads: readonly string[]
}

const mostRuns = 100

/** Returns the runs of a project that `addRunMark` recorded, oldest first. */
export function runMarks(project: string, stateDirectory: string): readonly RunMark[] {
  const file = fileOf(project, stateDirectory)
  const stored = storedOrNull(file, readRegularSync(file, 1024 ** 2), fileSchema)
  return stored?.project === project ? stored.runs : []
}

/** Records a run, so that `paddock sign` finds the commits that it made. */
export async function addRunMark(project: string, stateDirectory: string, mark: RunMark): Promise<void> {
  const runs = [...runMarks(project, stateDirectory), mark].slice(-mostRuns)
  await writeJson(fileOf(project, stateDirectory), { schemaVersion: 1, project, runs }, { mode: 0o600 })
}

function fileOf(project: string, stateDirectory: string): string {
  return path.join(stateDirectory, 'signing', `${createHash('sha256').update(project).digest('hex').slice(0, 16)}.json`)
}
