import { readFile, rm } from 'node:fs/promises'
import * as z from 'zod'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { NewerFile, parseStored } from '../../files/stored-json.ts'
import { baseChangeSchema } from '../manifest.ts'

/** The facts about a path when it was inspected. Size and time are kept too, because a write does not change the inode. */
const standingSchema = z.strictObject({ ino: z.int(), size: z.int(), mtimeMs: z.number(), mode: z.int() })
export type Standing = z.output<typeof standingSchema>

const stepSchema = z.strictObject({
  /** The path relative to the project. */
  path: z.string(),
  /** The number of the step's files in the staging directory: `NUMBER` is the new one, `NUMBER.old` the previous one. */
  slot: z.int(),
  action: z.enum(['write', 'delete']),
  standing: standingSchema.nullable(),
  /** The facts about the new file, once it is staged. A different file at the path is somebody else's. `sha256`: null for a link. */
  made: standingSchema.extend({ sha256: z.string().nullable() }).nullable(),
})
export type Step = z.output<typeof stepSchema>

const clearedSchema = z.strictObject({ path: z.string(), mode: z.int(), uid: z.int(), gid: z.int() })
/** A directory of the project that is removed to make room for a file. */
export type Cleared = z.output<typeof clearedSchema>

const afterSchema = z.strictObject({
  /** The data of the audit event, except for the result of the commit. */
  event: z.record(z.string(), z.unknown()),
  /** The requested commit, with the paths to be committed; null: no commit. */
  commit: z.strictObject({ paths: z.array(z.string()), message: z.string().nullable(), hooks: z.boolean() }).nullable(),
  /** True if git committed; null: git has not been run yet. */
  committed: z.boolean().nullable(),
})
/** The work that remains when all files are in place. */
export type After = z.output<typeof afterSchema>

/**
 * The contents of apply.json: an apply in progress. In the phases `staging` and `committing`, a process that finds it must undo it. `done`:
 * all files are in place, and only cleanup is left.
 */
const journalSchema = z.strictObject({
  schemaVersion: z.literal(3),
  phase: z.enum(['staging', 'committing', 'done']),
  project: z.string(),
  /** A directory on the project's file system that contains new and old files. */
  staging: z.string(),
  steps: z.array(stepSchema),
  /** Directories to make, parents first. */
  directories: z.array(z.string()),
  /** Directories that are removed, deepest first. */
  cleared: z.array(clearedSchema),
  /** Entries of the copy's base that change once the apply is done; null: the project has nothing at that path. */
  base: z.array(baseChangeSchema),
  /** The work that remains; null: only cleanup is left. */
  after: afterSchema.nullable(),
})
export type Journal = z.output<typeof journalSchema>

export async function writeJournal(file: string, journal: Journal): Promise<void> {
  await writeJson(file, journal, { mode: 0o600 })
}

/** Returns the journal; null if no apply is in progress. @throws PaddockError `FILES_FAILED` if it cannot be read. */
export async function readJournal(file: string): Promise<Journal | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  try {
    return parseStored(file, text, journalSchema, 3)
  } catch (cause) {
    if (cause instanceof NewerFile) throw cause
    throw new PaddockError('FILES_FAILED', `${file} cannot be read, so an interrupted apply cannot be undone.`, {
      hint: 'Look for the old versions in the .paddock-apply-… directory of the project: NUMBER.old',
      cause,
    })
  }
}

export async function removeJournal(file: string): Promise<void> {
  await rm(file, { force: true })
}
