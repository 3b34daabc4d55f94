import { lstat, realpath } from 'node:fs/promises'
import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { trustOf, trustStore } from '../../config/trusted-projects.ts'
import type { CopyHost } from '../../copy/copy-host.ts'
import { directoryId } from '../../copy/project-directory.ts'
import type { Layout } from '../config/contest-layout.ts'
import { agreementOf, type ContestProject } from '../state/project-file.ts'

/**
 * Returns the project to write to: the named one, or the one that this user made this contest from. A cloned or copied contest can
 * name any project. It must be a path without links, because an agent that works above it could put a link in its place.
 * @throws PaddockError NOT_ALLOWED, NOT_FOUND
 */
export async function targetOf(
  { layout, project }: { readonly layout: Layout; readonly project: ContestProject },
  named: string | null,
  host: CopyHost,
): Promise<string> {
  if (named === null) {
    const agreed = await trustOf(trustStore(host.paths), layout.project, agreementOf(project))
    if (agreed !== 'trusted')
      throw new PaddockError(
        'NOT_ALLOWED',
        `${layout.root} was not made here from ${project.project}, so Paddock does not write there without your confirmation.`,
        {
          hint: `Name the project: --project ${shellWord(project.project)}`,
        },
      )
  }
  const wanted = named ?? project.project
  const real = await realpath(wanted).catch(() => null)
  if (real === null || !(await lstat(real)).isDirectory())
    throw new PaddockError('NOT_FOUND', `There is no directory ${wanted}.`, { hint: 'Name the project: --project DIRECTORY' })
  if (real !== wanted)
    throw new PaddockError('NOT_ALLOWED', `${wanted} is a symbolic link, or is behind one.`, {
      hint: `If you want to write there, name the directory itself: --project ${shellWord(real)}`,
    })
  if (named === null && project.directory !== undefined && project.directory !== directoryId(real))
    throw new PaddockError('NOT_ALLOWED', `${wanted} is not the directory that the contest was made from.`, {
      hint: `If you want to write there, name it: --project ${shellWord(real)}`,
    })
  return real
}
