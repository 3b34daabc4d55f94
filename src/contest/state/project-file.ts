import { hash } from 'node:crypto'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { isPlainPath } from '../../copy/copy-names.ts'
import { entrySchema } from '../../copy/manifest.ts'
import { writeAtomic } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { storedOrNull } from '../../files/stored-json.ts'
import type { Layout } from '../config/contest-layout.ts'

/** The maximum size of project.json. A hundred thousand files take about twenty megabytes. */
const mostBytes = 512 * 1024 * 1024

const projectSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** The absolute path of the project, without links. */
  project: z.string().startsWith('/'),
  /** The device and the inode of that directory. Absent in contests of older versions. */
  directory: z
    .string()
    .regex(/^\d+:\d+$/)
    .optional(),
  /** The argument of `--ref`; null: the files of the work tree. */
  ref: z.string().nullable(),
  /**
   * The commit of the files, or the one checked out in the work tree; null: no commit yet. Absent: the project was not a git repository.
   */
  commit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .nullable()
    .optional(),
  /** Repositories in the project, by relative path. `` is the project itself. */
  repositories: z.array(z.string().refine((value) => value === '' || isPlainPath(value), { error: 'leads elsewhere' })),
  /** The copied files. Their paths are written to, and a cloned contest can contain any of them. */
  entries: z
    .array(entrySchema)
    .refine((all) => all.every((each) => isPlainPath(each.path)), { error: 'holds a path that leads elsewhere' }),
})

/** The contents of project.json: the project whose files are in start/, as they were when the contest was made. */
export type ContestProject = z.output<typeof projectSchema>

export async function writeProject(file: string, project: ContestProject): Promise<void> {
  await writeAtomic(file, `${JSON.stringify(project)}\n`)
}

/** Reads project.json. Throws NOT_FOUND if the contest was not made from a project, FILES_FAILED if the file is not valid. */
export async function readProject(layout: Layout): Promise<ContestProject> {
  const read = await readRegular(layout.project, mostBytes)
  if (!read.ok && read.why === 'missing')
    throw new PaddockError('NOT_FOUND', `${layout.root} was not made from a project: there is no ${layout.project}.`, {
      hint: 'Make one with: paddock contest new DIRECTORY --from-project PROJECT',
    })
  const project = storedOrNull(layout.project, read.ok ? read.bytes : null, projectSchema)
  if (project !== null) return project
  const why = read.ok ? 'does not describe a project' : `cannot be read (${read.why})`
  throw new PaddockError('FILES_FAILED', `${layout.project} ${why}.`, { hint: 'Restore it, or create the contest again' })
}

/**
 * Returns the hash of the user's consent when making a contest from a project: work of this contest may be applied to that directory.
 */
export function agreementOf({ project, directory }: Pick<ContestProject, 'project' | 'directory'>): string {
  return hash('sha256', JSON.stringify({ project, directory }))
}
