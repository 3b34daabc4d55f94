import { readFileSync } from 'node:fs'
import type { BackendName } from '../base/cell-place.ts'
import type { Paths } from '../base/paths.ts'
import { defaultPosture, type Posture } from '../base/posture.ts'
import { userConfigFile } from './machine-settings.ts'

/** Where cells run for which a file names no place. */
export interface BasePlace {
  readonly posture: Posture
  readonly backend: BackendName
  /** The options or FILE:LINE that set them; null: the defaults. A file of somebody else cannot name a level below one that is set. */
  readonly origins: { readonly posture: string | null; readonly backend: string | null }
}

/** The place if an option and the configuration name none. */
export const defaultPlace: BasePlace = { posture: defaultPosture, backend: 'auto', origins: { posture: null, backend: null } }

/** Returns the place of the user's configuration. @throws PaddockError `BAD_INPUT` if it may name one and is not valid */
export async function configuredPlace(paths: Pick<Paths, 'config'>): Promise<BasePlace> {
  const file = userConfigFile(paths)
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    return defaultPlace
  }
  // The parser is loaded only if a key can be in the file.
  if (!bytes.includes('posture') && !bytes.includes('backend')) return defaultPlace
  const [{ parseConfig }, { knownNames }] = await Promise.all([import('./read-config.ts'), import('./known-names.ts')])
  const { config, lineOf } = parseConfig(bytes, file, 'user', knownNames)
  const { posture = defaultPlace.posture, backend = defaultPlace.backend } = config.run ?? {}
  const origin = (key: 'posture' | 'backend', value: string): string | null =>
    config.run?.[key] === undefined ? null : `${file}:${lineOf(['run', key])}: run.${key} ${value}`
  return { posture, backend, origins: { posture: origin('posture', posture), backend: origin('backend', backend) } }
}
