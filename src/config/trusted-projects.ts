import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { codeOf, PaddockError } from '../base/errors.ts'
import type { Paths } from '../base/paths.ts'
import { writeJson } from '../files/atomic.ts'
import { takeLock } from '../files/lock.ts'
import { readRegular } from '../files/read-regular.ts'
import { NewerFile, parseStored } from '../files/stored-json.ts'
import { projectFileName } from './project-file-name.ts'
import { mostConfigBytes } from './read-config.ts'

const trustedSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** The trusted files, by the project's path. */
  projects: z.record(z.string(), z.strictObject({ sha256: z.string(), trustedAt: z.string() })),
})
type Trusted = z.output<typeof trustedSchema>

/** Returns the path at which the user's trust is stored. */
export function trustStore({ state }: Pick<Paths, 'state'>): string {
  return path.join(state, 'trusted.json')
}

/** A project's file. It is read only once, so that the hashed content is the content in use. */
export interface ProjectFile {
  readonly file: string
  readonly bytes: Buffer
  readonly sha256: string
}

/**
 * Returns the project's file. Null if the file does not exist or is empty, as it is while a cell runs.
 * @throws PaddockError `NOT_ALLOWED` for a link or anything else that is not a regular file
 */
export async function readProjectFile(project: string): Promise<ProjectFile | null> {
  const file = path.join(project, projectFileName)
  const read = await readRegular(file, mostConfigBytes)
  if (read.ok) return read.bytes.length === 0 ? null : { file, bytes: read.bytes, sha256: hash('sha256', read.bytes, 'hex') }
  if (read.why === 'missing') return null
  const why = { 'not-a-file': 'is not a plain file', 'too-large': `is larger than ${mostConfigBytes} bytes`, unreadable: 'cannot be read' }
  throw new PaddockError('NOT_ALLOWED', `${file} ${why[read.why]}, so it cannot be trusted.`, { hint: `Look at it: ls -l ${file}` })
}

/** Returns whether the user has trusted exactly this content, different content, or no content. */
export async function trustOf(store: string, project: string, sha256: string): Promise<'trusted' | 'changed' | 'unknown'> {
  const known = (await readTrusted(store)).projects[project]
  return known === undefined ? 'unknown' : known.sha256 === sha256 ? 'trusted' : 'changed'
}

/** Records that the user trusts this content at this path. */
export async function trust(store: string, project: string, sha256: string): Promise<void> {
  await change(store, (all) => ({ ...all, [project]: { sha256, trustedAt: new Date().toISOString() } }))
}

/** Stops trusting a project. Returns false if it was not trusted. */
export async function untrust(store: string, project: string): Promise<boolean> {
  let known = false
  await change(store, (all) => {
    known = Object.hasOwn(all, project)
    return Object.fromEntries(Object.entries(all).filter(([each]) => each !== project))
  })
  return known
}

async function change(store: string, act: (all: Trusted['projects']) => Trusted['projects']): Promise<void> {
  using _lock = await takeLock({ file: `${store}.lock`, what: 'The list of trusted projects', command: 'paddock trust', patienceMs: 2_000 })
  const all = await readTrusted(store)
  await writeJson(store, { schemaVersion: 1, projects: act(all.projects) }, { mode: 0o600 })
}

async function readTrusted(store: string): Promise<Trusted> {
  let text: string
  try {
    text = await readFile(store, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { schemaVersion: 1, projects: {} }
    throw error
  }
  try {
    return parseStored(store, text, trustedSchema)
  } catch (cause) {
    if (cause instanceof NewerFile) throw cause
    throw new PaddockError('FILES_FAILED', `${store} cannot be read, so no project counts as trusted.`, {
      hint: `Remove it (rm ${store}) and trust the projects again`,
      cause,
    })
  }
}
