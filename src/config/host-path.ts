import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Paths } from '../base/paths.ts'

/** Returns the path of the user's configuration. */
export function userConfigFile(paths: Pick<Paths, 'config'>): string {
  return path.join(paths.config, 'config.yaml')
}

/**
 * Returns the directories of `host.path` in the user's configuration, as absolute paths. Empty if the file cannot be read or is not valid:
 * the commands that use the configuration report that, and without the directories fewer programs run.
 */
export async function hostPath(paths: Pick<Paths, 'config' | 'userHome'>): Promise<readonly string[]> {
  let text: string
  try {
    text = readFileSync(userConfigFile(paths), 'utf8')
  } catch {
    return []
  }
  // The parser is loaded only if the key can be in the file; most users do not need it.
  if (!/\bhost\b/.test(text)) return []
  const [{ readYaml }, { userSchema }] = await Promise.all([import('./yaml.ts'), import('./config-schema.ts')])
  const read = readYaml(text)
  const parsed = 'problems' in read ? null : userSchema.safeParse(read.data)
  const directories = parsed?.success === true ? (parsed.data.host?.path ?? []) : []
  return directories.map((each) => path.normalize(each.replace(/^~(?=\/)/, paths.userHome)))
}
