import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { listed } from '../../base/text.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { parentsOf } from '../copy-names.ts'

/**
 * Throws for paths of a project on another mount than the project itself. Files cannot be renamed or linked across mounts (EXDEV,
 * rename(2)), even of the same file system, so they could not be applied in one step or undone.
 * @throws PaddockError `NOT_ALLOWED`
 */
export function refuseOtherMounts(project: string, files: readonly string[]): void {
  const known = new Map<string, string>()
  const mountAt = (directory: string): string => {
    const mount = known.get(directory) ?? mountOf(directory)
    known.set(directory, mount)
    return mount
  }
  const own = mountAt(project)
  const elsewhere = files.filter((file) => {
    const parent = parentsOf(file).find((each) => kindBelow(project, path.join(project, each)) === 'directory')
    return parent !== undefined && mountAt(path.join(project, parent)) !== own
  })
  if (elsewhere.length === 0) return
  throw new PaddockError(
    'NOT_ALLOWED',
    `Nothing was applied, because these are on another mount than the project: ${listed(elsewhere, 10)}.`,
    { hint: 'Apply other paths by name, and copy these by hand; or unmount what is mounted in the project' },
  )
}

/** Returns the mount of a directory: its device, and on Linux the mount's own number (proc_pid_fdinfo(5), mnt_id). */
function mountOf(directory: string): string {
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const { dev } = fstatSync(descriptor)
    const info = process.platform === 'linux' ? readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8') : ''
    return `${dev}:${/^mnt_id:\s*(\d+)$/m.exec(info)?.[1] ?? ''}`
  } finally {
    closeSync(descriptor)
  }
}
