import { realpathSync } from 'node:fs'
import type { Paths } from '../../base/paths.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { Check } from '../../cell/backend-facts.ts'
import { rootHint } from '../../system/as-root.ts'
import { mountAt, mountsOf } from '../../system/mounts.ts'
import { workingDirectory } from '../working-directory.ts'

/**
 * Returns a failed check for each directory of cells whose programs cannot run, because its file system is mounted with noexec: the
 * project, your home directory, and private homes, in which agents install programs.
 */
export function fileSystemChecks({ state, userHome }: Paths): readonly Check[] {
  if (process.platform !== 'linux') return []
  const mounts = mountsOf('self')
  const directories = { 'this directory': workingDirectory(), 'your home directory': userHome, 'private homes of cells': state }
  const byMount = Map.groupBy(Object.entries(directories), ([, directory]) => {
    const mount = mountAt(mounts, realOf(directory))
    return mount?.options.includes('noexec') === true ? mount.at : null
  })
  return [...byMount].flatMap(([mount, affected]) => {
    if (mount === null) return []
    const detail = `programs in ${affected.map(([name]) => name).join(' and ')} cannot run: ${mount} is mounted with noexec`
    return [{ name: 'file systems', ok: false, detail, hint: rootHint(`mount -o remount,exec ${shellWord(mount)}`) }]
  })
}

function realOf(directory: string): string {
  try {
    return realpathSync.native(directory)
  } catch {
    return directory
  }
}
