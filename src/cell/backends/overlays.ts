import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { contains, type FsEntry, targetOf } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'
import type { Sources } from './staging.ts'

const program = fileURLToPath(new URL('./overlays.pl', import.meta.url))

/** A directory of the host that a cell sees as an overlay. */
export type OverlayEntry = Extract<FsEntry, { kind: 'overlay' }>

/** Returns the overlays of a plan, in its order. */
export function overlaysIn({ filesystem }: Pick<CellPlan, 'filesystem'>): readonly OverlayEntry[] {
  return filesystem.filter((each) => each.kind === 'overlay')
}

/** Where the overlays of a cell are made when Paddock runs as root (`stage.pl`). */
export const stagedOverlays = '/run/paddock/overlays'

/** Returns the directory below which the overlays of a cell are mounted. For a user it is in the cell's own directory, and is made here. */
export function overlaysDirectory(runDirectory: string, isStaged: boolean): string {
  if (isStaged) return stagedOverlays
  const directory = path.join(runDirectory, 'overlays')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return directory
}

/** Returns the arguments that mount the overlays of a plan and start the next command (`overlays.pl`); none if there are no overlays. */
export function overlayCommand(perl: string, plan: CellPlan, sources: Sources, directory: string): readonly string[] {
  const overlays = overlaysIn(plan)
  if (overlays.length === 0) return []
  return [
    perl,
    '-t',
    program,
    directory,
    ...overlays.flatMap((each, index) => {
      const inside = (file: string): string => path.relative(each.path, file)
      return [
        ...(each.access === 'rw' ? ['rw', sources.below(index) ?? each.path, `${each.sizeBytes ?? 0}`] : ['ro', each.path, '0']),
        ...each.hidden.flatMap((file) => ['hide', inside(file)]),
        ...mountPoints(plan, each).flatMap(([kind, at]) => [kind, inside(at)]),
      ]
    }),
    '--',
  ]
}

/** Returns the mount points that a read-only overlay needs, parents first. In a writable one, bwrap makes them. */
function mountPoints({ filesystem }: CellPlan, overlay: OverlayEntry): readonly (readonly ['dir' | 'file', string])[] {
  if (overlay.access === 'rw') return []
  return filesystem.flatMap((each): (readonly ['dir' | 'file', string])[] => {
    const at = targetOf(each)
    if (each === overlay || at === overlay.path || !contains(overlay.path, at)) return []
    // A deeper entry than this overlay shows the path.
    if (
      filesystem.some(
        (other) =>
          other !== each &&
          other !== overlay &&
          showsTree(other) &&
          contains(overlay.path, targetOf(other)) &&
          at !== targetOf(other) &&
          contains(targetOf(other), at),
      )
    )
      return []
    return each.kind === 'symlink' || each.kind === 'link' ? [] : [[isDirectory(each) ? 'dir' : 'file', at]]
  })
}

const showsTree = ({ kind }: FsEntry): boolean => ['overlay', 'bind', 'tmpfs', 'copy', 'mask'].includes(kind)

function isDirectory(entry: FsEntry): boolean {
  switch (entry.kind) {
    case 'file':
      return false
    case 'mask':
    case 'inert':
      return entry.type === 'directory'
    case 'bind':
    case 'copy':
      return statSync(entry.source, { throwIfNoEntry: false })?.isDirectory() === true
    case 'system':
      return statSync(entry.path, { throwIfNoEntry: false })?.isDirectory() === true
    default:
      return true
  }
}
