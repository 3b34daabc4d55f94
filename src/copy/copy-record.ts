import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { codeOf, messageOf, PaddockError } from '../base/errors.ts'
import { findingSchema } from '../credentials/scan/finding-schema.ts'
import { writeAtomic, writeJson } from '../files/atomic.ts'
import { NewerFile, refuseNewer } from '../files/stored-json.ts'
import { identify } from '../system/process-identity.ts'
import { areEntries, type BaseChange, baseChangeSchema, type Manifest } from './manifest.ts'

/** The schema of record.json: the facts about one copy. */
export const recordSchema = z.strictObject({
  schemaVersion: z.literal(1),
  id: z.string(),
  /** The project that was copied, as an absolute path without links. */
  project: z.string(),
  created: z.string(),
  /** The state of the copy: `making` until everything is copied. */
  state: z.enum(['making', 'ready']),
  /** The process that makes the copy. */
  maker: z.strictObject({ pid: z.int(), started: z.string() }).nullable(),
  options: z.strictObject({ ignored: z.boolean() }),
  /** The HEAD commit of the project; null: no commit yet. Absent: the project was not a git repository. */
  head: z.string().nullable().optional(),
  /** The repositories in the project, by relative path. An empty path is the project itself. */
  repositories: z.array(z.string()),
  /** Directories that a setup added to the copy. They are not compared, and nothing in them is applied. */
  setUp: z.array(z.string()).optional(),
  /** The cells that have worked on the copy. */
  cells: z.array(z.string()),
  /** Paths that were not copied, with the reasons. At most 1,000 are listed. */
  skipped: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  skippedCount: z.int(),
  /** Credentials that were in play when a cell worked on the copy, and that the file with this hash contains. */
  leaks: z.array(z.strictObject({ path: z.string(), sha256: z.string(), finding: findingSchema })).optional(),
  /** The notes that were printed when the copy was made. */
  notes: z.array(z.string()),
  /** The sealed work of a contest that the copy contains, if it was not made for a cell. */
  submission: z.strictObject({ contest: z.string(), participant: z.string(), round: z.int(), tree: z.string() }).optional(),
  /** Applied paths that git should have committed but did not. */
  uncommitted: z.array(z.string()).optional(),
})
export type CopyRecord = z.output<typeof recordSchema>

/** The paths of the parts of one copy. Only `tree` is ever visible in a cell. */
export class CopyPlace {
  readonly id: string
  readonly directory: string

  constructor(copies: string, id: string) {
    this.id = id
    this.directory = path.join(copies, id)
  }

  /** The copy of the project itself. */
  get tree(): string {
    return path.join(this.directory, 'tree')
  }
  get record(): string {
    return path.join(this.directory, 'record.json')
  }
  get base(): string {
    return path.join(this.directory, 'base.json')
  }
  /** The changes of the base since the copy was made. */
  get baseChanges(): string {
    return path.join(this.directory, 'base-changes.json')
  }
  /** The stamps of files that need not be read again (see `writeStamps`). */
  get stamps(): string {
    return path.join(this.directory, 'stamps')
  }
  /** The journal of an apply in progress. */
  get journal(): string {
    return path.join(this.directory, 'apply.json')
  }
  /** A git directory made by Paddock, for the ignore rules. */
  get rules(): string {
    return path.join(this.directory, 'rules.git')
  }
}

/** Makes a directory for a new copy. Only this user can enter it. */
export function newPlace(copies: string): CopyPlace {
  const place = new CopyPlace(copies, randomBytes(4).toString('hex'))
  mkdirSync(copies, { recursive: true, mode: 0o700 })
  mkdirSync(place.directory, { mode: 0o700 })
  return place
}

export async function writeRecord(place: CopyPlace, record: CopyRecord): Promise<void> {
  await writeJson(place.record, record, { mode: 0o600 })
}

/** Returns the record of a copy. Null if it does not exist or cannot be read. */
export async function readRecord(place: CopyPlace): Promise<CopyRecord | null> {
  const record = await lookAtRecord(place)
  return typeof record === 'string' ? null : record
}

/** Returns the record, or the reason why it cannot be read. */
export async function lookAtRecord(place: CopyPlace): Promise<CopyRecord | string> {
  let text: string
  try {
    text = await readFile(place.record, 'utf8')
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'record.json is missing' : `record.json: ${messageOf(error)}`
  }
  try {
    const value: unknown = JSON.parse(text)
    refuseNewer(place.record, value)
    const parsed = recordSchema.safeParse(value)
    return parsed.success ? parsed.data : 'record.json is of another version of Paddock, or was changed'
  } catch (error) {
    if (error instanceof NewerFile) return 'record.json was written by a newer Paddock'
    return text === '' ? 'record.json is empty' : 'record.json is not JSON'
  }
}

/** Writes base.json, which the entries are the base of. */
export async function writeManifest(place: CopyPlace, entries: Manifest['entries']): Promise<void> {
  await writeAtomic(place.base, `${JSON.stringify({ schemaVersion: 1, entries })}\n`, { mode: 0o600 })
}

/** Changes entries of the base; null: there is none any more. Idempotent. The other entries, which may be many, are not written again. */
export async function changeBase(place: CopyPlace, changes: readonly BaseChange[]): Promise<void> {
  const all = new Map([...(await baseChanges(place)), ...changes].map((each) => [each.path, each]))
  await writeJson(place.baseChanges, [...all.values()], { mode: 0o600 })
}

/** Returns the manifest. @throws PaddockError `FILES_FAILED` */
export async function readManifest(place: CopyPlace): Promise<Manifest> {
  try {
    const value = JSON.parse(await readFile(place.base, 'utf8'))
    refuseNewer(place.base, value)
    const { schemaVersion, entries } = value
    if (schemaVersion !== 1 || !areEntries(entries)) throw new Error('it is not a list of entries of this version')
    const changes = await baseChanges(place)
    if (changes.length === 0) return { entries }
    const all = new Map(entries.map((each) => [each.path, each]))
    for (const { path: at, now } of changes) {
      if (now === null) all.delete(at)
      else all.set(at, now)
    }
    return { entries: [...all.values()] }
  } catch (cause) {
    if (cause instanceof NewerFile) throw cause
    throw new PaddockError('FILES_FAILED', `${place.base} cannot be read, so the source of the copy is not known.`, {
      hint: `Copy what you need from ${place.tree} by hand, then: paddock discard ${place.id}`,
      cause,
    })
  }
}

async function baseChanges(place: CopyPlace): Promise<readonly BaseChange[]> {
  try {
    return z.array(baseChangeSchema).parse(JSON.parse(await readFile(place.baseChanges, 'utf8')))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

export async function ownIdentity(): Promise<CopyRecord['maker']> {
  return identify(process.pid)
}
