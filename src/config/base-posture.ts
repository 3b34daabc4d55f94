import { readFileSync } from 'node:fs'
import type { Paths } from '../base/paths.ts'
import { defaultPosture, type Posture } from '../base/posture.ts'
import { userConfigFile } from './machine-settings.ts'

/** The isolation level of cells for which a file names none. */
export interface BasePosture {
  readonly level: Posture
  /** The option or FILE:LINE that sets it. A file of somebody else then cannot name a lower level. Null: the default level. */
  readonly origin: string | null
}

/** Returns the level of the user's configuration. @throws PaddockError `BAD_INPUT` if it may name one and is not valid */
export async function configuredPosture(paths: Pick<Paths, 'config'>): Promise<BasePosture> {
  const file = userConfigFile(paths)
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    return { level: defaultPosture, origin: null }
  }
  // The parser is loaded only if the key can be in the file.
  if (!bytes.includes('posture')) return { level: defaultPosture, origin: null }
  const [{ parseConfig }, { knownNames }] = await Promise.all([import('./read-config.ts'), import('./known-names.ts')])
  const { config, lineOf } = parseConfig(bytes, file, 'user', knownNames)
  const level = config.run?.posture
  return level === undefined
    ? { level: defaultPosture, origin: null }
    : { level, origin: `${file}:${lineOf(['run', 'posture'])}: run.posture ${level}` }
}
