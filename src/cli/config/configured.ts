import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import { knownNames } from '../../config/known-names.ts'
import { userConfigFile } from '../../config/machine-settings.ts'
import { projectFileName } from '../../config/project-file-name.ts'
import type { ConfigFile } from '../../config/read-config.ts'
import type { ProjectFile } from '../../config/trusted-projects.ts'

/** The configuration in effect for a project, lowest precedence first, and the state of the project's own file. */
export interface Loaded {
  readonly files: readonly ConfigFile[]
  readonly project: { readonly file: ProjectFile; readonly trust: 'trusted' | 'changed' | 'unknown' } | null
}

/** Reads the user's file and, by default, a trusted project's file. @throws PaddockError `BAD_INPUT`, `NOT_ALLOWED` */
export async function loadConfig(project: string, paths: Paths, options = { projectFile: true }): Promise<Loaded> {
  const files: ConfigFile[] = []
  const user = userConfigFile(paths)
  const text = readOwn(user)
  // The parser is loaded only if there is a file; most users have none.
  if (text !== null) files.push((await import('../../config/read-config.ts')).parseConfig(text, user, 'user', knownNames))
  if (!options.projectFile || lstatSync(path.join(project, projectFileName), { throwIfNoEntry: false }) === undefined)
    return { files, project: null }
  const [{ parseConfig }, { readProjectFile, trustOf, trustStore }] = await Promise.all([
    import('../../config/read-config.ts'),
    import('../../config/trusted-projects.ts'),
  ])
  const file = await readProjectFile(project)
  if (file === null) return { files, project: null }
  const trust = await trustOf(trustStore(paths), project, file.sha256)
  if (trust === 'trusted') files.push(parseConfig(file.bytes, file.file, 'project', knownNames))
  return { files, project: { file, trust } }
}

/** Returns the user's own file; null if there is none. */
function readOwn(user: string): Buffer | null {
  try {
    return readFileSync(user)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new PaddockError('BAD_INPUT', `${user} cannot be read (${code}).`, { cause: error })
  }
}

/** @throws PaddockError `NOT_ALLOWED` if the project has a file whose current content the user has not trusted */
export function refuseUntrusted({ project }: Loaded): void {
  if (project === null || project.trust === 'trusted') return
  const why = project.trust === 'changed' ? 'has changed since you trusted it' : 'is not trusted'
  throw new PaddockError('NOT_ALLOWED', `${project.file.file} ${why}, so nothing was started.`, {
    hint: 'See what it asks for with paddock trust --show, then: paddock trust. Or run without it: --no-project-file',
  })
}
