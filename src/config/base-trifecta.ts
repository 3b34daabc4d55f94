import { readFileSync } from 'node:fs'
import { codeOf } from '../base/errors.ts'
import type { Paths } from '../base/paths.ts'
import { defaultTrifectaRule, type OriginedRule } from '../base/trifecta-rating.ts'
import { userConfigFile } from './machine-settings.ts'

const unset: OriginedRule = { rule: defaultTrifectaRule, origin: 'default' }

/**
 * Returns the rule of the user's configuration about the lethal trifecta.
 * @throws PaddockError `BAD_INPUT` if the file may have one and is not valid
 */
export async function configuredTrifecta(paths: Pick<Paths, 'config'>): Promise<OriginedRule> {
  const file = userConfigFile(paths)
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return unset
    throw error
  }
  // The parser is loaded only if the key can be in the file.
  if (!bytes.includes('trifecta')) return unset
  const [{ parseConfig }, { knownNames }] = await Promise.all([import('./read-config.ts'), import('./known-names.ts')])
  const { config, lineOf } = parseConfig(bytes, file, 'user', knownNames)
  const rule = config.run?.trifecta
  return rule === undefined ? unset : { rule, origin: `${file}:${lineOf(['run', 'trifecta'])}` }
}
