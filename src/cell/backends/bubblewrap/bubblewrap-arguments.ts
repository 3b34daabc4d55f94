import { type FsEntry, inertSource } from '../../plan/filesystem.ts'
import type { CellPlan } from '../../plan/plan.ts'
import type { CellInit } from '../cell-init.ts'
import type { LateMounts } from '../make-mounts.ts'
import { isOverlay, type Sources } from '../staging.ts'

/**
 * Returns the options of bwrap(1) for a plan, without the command. Pure.
 * @param options `ownNetwork`: true if bwrap creates the network namespace. Otherwise bwrap already runs in the cell's. `late`: the mounts that
 *   are made afterwards. `init`: the init that is the first word of the command; by default bwrap's own
 */
export function bubblewrapArguments(
  plan: CellPlan,
  sources: Sources,
  options: { readonly ownNetwork: boolean; readonly late: LateMounts; readonly init: CellInit | null },
): readonly string[] {
  const args = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup']
  if (!plan.degraded.includes('nested-sandbox')) args.push('--disable-userns')
  if (options.init !== null) args.push('--as-pid-1')
  if (options.ownNetwork) args.push('--unshare-net')
  args.push('--die-with-parent', '--cap-drop', 'ALL', '--hostname', plan.identity.hostname)
  args.push('--uid', String(plan.identity.uid), '--gid', String(plan.identity.gid))
  // A cell with a terminal has its own terminal and session. Any other cell must not have one.
  if (!plan.terminal) args.push('--new-session')
  // bwrap would make it for the cell's user only, because the cell's files are in it.
  args.push('--perms', '0755', '--dir', '/etc')
  const count = { file: 0, overlay: 0 }
  for (const entry of plan.filesystem) {
    const kind = isOverlay(entry) ? 'overlay' : entry.kind
    const index = kind === 'file' || kind === 'overlay' ? count[kind]++ : 0
    if (!options.late.entries.has(entry)) args.push(...mount(entry, sources, index))
  }
  for (const { source, target } of options.late.views) args.push('--ro-bind', source, target)
  args.push('--remount-ro', '/dev')
  // Everything that is not a separate mount is part of the root tmpfs. It becomes read-only last, when all mount points exist.
  if (options.late.views.length === 0) args.push('--remount-ro', '/')
  args.push('--clearenv')
  for (const [name, value] of Object.entries(plan.env))
    if (options.init?.withheld.includes(name) !== true) args.push('--setenv', name, value)
  args.push('--chdir', plan.cwd)
  return args
}

function mount(entry: FsEntry, sources: Sources, index: number): readonly string[] {
  switch (entry.kind) {
    case 'system':
      return ['--ro-bind', entry.path, entry.path]
    case 'overlay':
      return [entry.access === 'ro' ? '--ro-bind' : '--bind', sources.overlay(index), entry.path]
    case 'toolchain':
      return ['--bind', sources.overlay(index), entry.target]
    case 'symlink':
      return ['--symlink', entry.to, entry.path]
    case 'tmpfs':
      return ['--size', String(entry.sizeBytes), '--perms', entry.mode.toString(8).padStart(4, '0'), '--tmpfs', entry.path]
    case 'proc':
      return ['--proc', entry.path]
    case 'dev':
      return ['--dev', entry.path, '--size', String(entry.shmBytes), '--perms', '1777', '--tmpfs', '/dev/shm']
    case 'bind':
      return [entry.access === 'ro' ? '--ro-bind' : '--bind', sources.of(entry.source), entry.target]
    case 'copy':
      return ['--bind', sources.copy(entry), entry.target]
    case 'file':
      return ['--ro-bind', sources.file(index), entry.target]
    case 'mask':
      return entry.type === 'file'
        ? ['--ro-bind', sources.file('empty'), entry.target]
        : ['--size', '4096', '--perms', '0555', '--tmpfs', entry.target, '--remount-ro', entry.target]
    // Made in the cell's mount namespace (`mounts.pl`), because mount(2) would follow the link.
    case 'link':
      return []
    case 'inert':
      return ['--ro-bind', sources.of(inertSource(entry)), entry.target]
  }
}
