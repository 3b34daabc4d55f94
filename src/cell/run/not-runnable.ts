import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { shellWord } from '../../base/shell-word.ts'
import { mountAt, mountsOf } from '../../system/mounts.ts'
import { contains, targetOf } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'

/**
 * Returns why the kernel did not run the command of a cell (execve(2) fails with EACCES): it is on a file system that is mounted with
 * `noexec`, which a cell cannot change. Ends with the command that permits it. Null: that is not the reason.
 */
export function whyNotRun({ command, cwd, env, filesystem }: Pick<CellPlan, 'command' | 'cwd' | 'env' | 'filesystem'>): string | null {
  const [name = ''] = command
  const directories = name.includes('/') ? [cwd] : (env['PATH'] ?? '').split(':')
  for (const each of directories) {
    const file = hostFile(path.resolve(cwd, each, name), filesystem)
    if (file === null) continue
    const mount = mountAt(mountsOf('self'), file)
    if (mount?.options.includes('noexec') !== true) return null
    return `${name} cannot run, because ${mount.at} is mounted with noexec; root can permit it: mount -o remount,exec ${shellWord(mount.at)}`
  }
  return null
}

/** Returns the path of a cell's file on the host, without links; null: there is no such file, or it is only in the cell. */
function hostFile(target: string, filesystem: CellPlan['filesystem']): string | null {
  const holder = filesystem.findLast((each) => contains(targetOf(each), target))
  if (holder === undefined || (holder.kind !== 'bind' && holder.kind !== 'system')) return null
  const source = holder.kind === 'bind' ? holder.source : holder.path
  try {
    const file = realpathSync.native(path.join(source, path.relative(targetOf(holder), target)))
    return statSync(file).isFile() ? file : null
  } catch {
    return null
  }
}
