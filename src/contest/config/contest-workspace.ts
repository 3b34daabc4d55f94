import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import { kindBelow } from '../../files/kind-below.ts'

const ofSystem = /^\/(?:bin|boot|dev|etc|lib(?:x?\d+)?|proc|run|sbin|sys|usr|var\/(?:run|lock))(?=\/|$)/
const ofContest = /^\/(?:contest|agent|check|inputs|result|reward|submission)(?=\/|$)/
/** Directories that contain parts of the cell, or homes. Workspaces can have the directories below them. */
const shared = new Set(['/', '/home', '/opt', '/var', '/var/lib', '/var/cache'])
/** Agents have their settings and logins in such a directory of the cell's home. */
const hiddenInHome = /^\/(?:root|home\/[^/]+)\/\.[^/]+/

/** Returns why a directory cannot belong to a workspace, as the rest of a sentence; null: it can. Paths are absolute and normal. */
export function whyNoPlace(directory: string): string | null {
  const [system] = ofSystem.exec(directory) ?? []
  if (system !== undefined) return directory === system ? 'is a directory of the system' : `is in ${system}, a directory of the system`
  const [contest] = ofContest.exec(directory) ?? []
  if (contest !== undefined) return directory === contest ? 'is a directory of a contest' : `is in ${contest}, a directory of a contest`
  if (shared.has(directory)) return 'can contain directories of the system, so only directories below it can be used'
  return hiddenInHome.test(directory) ? 'is hidden in a directory that can be the home of agents, with their settings' : null
}

const place = z
  .string()
  .regex(/^\/[^\0]*$/, { error: 'must be an absolute path' })
  .refine((value) => path.posix.normalize(value) === value && !value.endsWith('/'), {
    error: 'must be a plain path, without . or .. or a slash at its end',
  })

/** A path in the cell of a check where the check's programs expect files. */
export const placeInCheck = place.refine((value) => !/^\/(?:(?:bin|dev|etc|lib\d*|proc|sbin|sys|usr)(?:\/|$)|$)/.test(value), {
  error: 'is a directory of the system',
})

export const workspaceSchema = z
  .strictObject({
    directories: z
      .array(
        place.superRefine((value, context) => {
          const why = whyNoPlace(value)
          if (why !== null) context.addIssue(why)
        }),
      )
      .min(1, { error: 'needs at least one directory' })
      .max(50)
      .describe('Absolute paths that participants write to. Their final contents are submitted, under the path without the leading slash.'),
    cwd: place.describe('Where participants and checks start: one of these directories, or a subdirectory.'),
    env: z
      .record(z.string().regex(/^[A-Za-z_]\w*$/, { error: 'must be a name of a variable' }), z.string().regex(/^[^\0]*$/))
      .default({})
      .describe('Variables for participants and checks.'),
  })
  .refine(({ directories, cwd }) => directories.some((each) => cwd === each || cwd.startsWith(`${each}/`)), {
    error: 'must be in one of the directories',
    path: ['cwd'],
  })
  .refine(({ directories }) => directories.every((each) => directories.every((other) => !each.startsWith(`${other}/`))), {
    error: 'must not be in each other',
    path: ['directories'],
  })

export type Workspace = z.output<typeof workspaceSchema>

/** Returns the path in a submission of the files of a workspace directory. */
export function placeIn(submission: string, directory: string): string {
  return path.join(submission, directory)
}

/**
 * Removes the files of a submission in whose places a cell needs the directories of the workspace, so that a submission cannot keep a check
 * from starting.
 */
export async function clearPlaces({ directories, cwd }: Workspace, submission: string): Promise<void> {
  for (const each of [...directories, cwd]) {
    const parts = each.split('/').filter((part) => part !== '')
    for (const depth of parts.keys()) {
      const at = placeIn(submission, parts.slice(0, depth + 1).join('/'))
      if (kindBelow(submission, at) === 'file') await rm(at)
    }
  }
}

/**
 * Returns the mounts of a workspace from the directory of a submission. Creates missing directories of the workspace.
 * @throws PaddockError BAD_INPUT if one of them is a symbolic link or is behind one, because a cell would write to its target
 */
export async function workspaceMounts({ directories, cwd }: Workspace, submission: string): Promise<MountWish[]> {
  for (const each of [...directories, cwd]) {
    const at = placeIn(submission, each)
    if (kindBelow(submission, at) === 'link')
      throw new PaddockError('BAD_INPUT', `workspace: ${each} is a symbolic link, or is behind one.`, { hint: 'Replace it by a directory' })
    await mkdir(at, { recursive: true })
  }
  return directories.map((each) => ({ source: placeIn(submission, each), target: each, access: 'rw', reason: 'contest' }))
}
