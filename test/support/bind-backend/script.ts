import path from 'node:path'
import { quote } from '../../../src/cell/backends/launcher.ts'
import { type FsEntry, inertSource } from '../../../src/cell/plan/filesystem.ts'
import type { CellPlan } from '../../../src/cell/plan/plan.ts'

/** Directories that the script mounts from. */
export interface Places {
  /** An empty directory that becomes the root of the cell. */
  readonly root: string
  /** A directory with the `file` entries of the plan by number, and `empty`. */
  readonly files: string
}

const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty']
const links = { fd: '/proc/self/fd', stdin: '/proc/self/fd/0', stdout: '/proc/self/fd/1', stderr: '/proc/self/fd/2' }

/**
 * Returns a plan as a script of sh(1) that runs as root of new namespaces. It mounts every entry under a new root, switches to that root,
 * and starts the launcher as the cell's user without capabilities. Pure.
 */
export function buildScript(plan: CellPlan, { root, files }: Places, launcher: string): string {
  let count = 0
  const mounts = plan.filesystem.flatMap((each) => mountOf(each, root, each.kind === 'file' ? `${files}/${count++}` : `${files}/empty`))
  const { uid, gid } = plan.identity
  const env = Object.entries(plan.env).map(([name, value]) => quote(`${name}=${value}`))
  // The init waits for the launcher instead of becoming it, so that signals reach the program like any other program.
  const init = ['/bin/sh', '-c', '"$@"; exit $?', 'sh', '/bin/sh', '-c', launcher, 'sh', ...plan.command]
  return [
    'set -e; umask 022',
    `mount -t tmpfs -o mode=0755 none ${quote(root)}`,
    ...mounts,
    `cd ${quote(root)}; mkdir .host; pivot_root . .host; umount -l /.host; rmdir /.host`,
    'mount -o remount,bind,ro /dev; mount -o remount,bind,ro /',
    `cd ${quote(plan.cwd)}; umask 022`,
    `exec unshare --user --map-user=${uid} --map-group=${gid} -- /usr/bin/env -i ${env.join(' ')} ${init.map(quote).join(' ')}`,
    '',
  ].join('\n')
}

function mountOf(entry: FsEntry, root: string, file: string): readonly string[] {
  const at = (target: string): string => quote(`${root}${target}`)
  const bind = (source: string, target: string, access: 'ro' | 'rw'): readonly string[] => [
    `if [ -d ${quote(source)} ]; then mkdir -p ${at(target)}; else ${touch(root, target)}; fi`,
    `mount --rbind ${quote(source)} ${at(target)}`,
    ...(access === 'ro' ? [`mount -o remount,bind,ro ${at(target)}`] : []),
  ]
  const tmpfs = (target: string, options: string): readonly string[] => [
    `mkdir -p ${at(target)}; mount -t tmpfs -o ${options} none ${at(target)}`,
  ]
  switch (entry.kind) {
    case 'system':
      return bind(entry.path, entry.path, 'ro')
    case 'toolchain':
      return bind(entry.source, entry.target, 'ro')
    case 'overlay':
      throw new Error('this backend builds cells of L2')
    case 'symlink':
      return [`mkdir -p ${at(path.dirname(entry.path))}; ln -s ${quote(entry.to)} ${at(entry.path)}`]
    case 'tmpfs':
      return tmpfs(entry.path, `size=${entry.sizeBytes},mode=${entry.mode.toString(8)}`)
    case 'proc':
      return [`mkdir -p ${at(entry.path)}; mount -t proc none ${at(entry.path)}`]
    case 'dev':
      return [
        ...tmpfs(entry.path, 'mode=0755'),
        ...devices.flatMap((each) => [touch(root, `/dev/${each}`), `mount --bind /dev/${each} ${at(`/dev/${each}`)}`]),
        ...Object.entries(links).map(([name, to]) => `ln -s ${to} ${at(`/dev/${name}`)}`),
        ...tmpfs('/dev/shm', `size=${entry.shmBytes},mode=1777`),
      ]
    case 'bind':
      return bind(entry.source, entry.target, entry.access)
    // This backend makes no copies, so the entries below stay read-only.
    case 'copy':
      return []
    case 'file':
      return bind(file, entry.target, 'ro')
    case 'mask':
      return entry.type === 'file' ? bind(file, entry.target, 'ro') : tmpfs(entry.target, 'ro,size=4k,mode=555')
    case 'link':
      throw new Error('this backend mounts no links')
    case 'inert':
      return bind(inertSource(entry), entry.target, 'ro')
  }
}

function touch(root: string, target: string): string {
  const file = quote(`${root}${target}`)
  return `[ -e ${file} ] || { mkdir -p ${quote(path.dirname(`${root}${target}`))}; : > ${file}; }`
}
