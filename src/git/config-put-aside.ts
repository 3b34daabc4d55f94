import { readlinkSync } from 'node:fs'
import path from 'node:path'

/** The directory in a git directory that contains its config while cells run there. */
export const asideName = 'paddock'
/** The link at the config's own path. Git follows it, and takes its lock beside the target (git-config(1)). */
export const asideLink = `${asideName}/config`

/** Returns true if the config at this path is aside: a link to `paddock/config`, over which cells have views of their own. */
export function isConfigAside(config: string): boolean {
  try {
    return readlinkSync(config) === asideLink
  } catch {
    return false
  }
}

/** Returns the file with the config of a git directory. */
export function configFileOf(git: string): string {
  const config = path.join(git, 'config')
  return isConfigAside(config) ? path.join(git, asideLink) : config
}
