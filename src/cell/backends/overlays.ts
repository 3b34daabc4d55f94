import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { lazily } from '../../base/lazily.ts'
import { contains, type FsEntry, targetOf } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'
import { changesIn, workPrefix } from '../plan/toolchains/tool-layers.ts'
import { belowOverlay, overlaysIn, type Sources } from './staging.ts'

const program = lazily(() => readFileSync(fileURLToPath(new URL('./overlays.pl', import.meta.url)), 'utf8'))

/** Where the overlays of a cell are made when Paddock runs as root (`stage.pl`). */
export const stagedOverlays = '/run/paddock/overlays'

/** Returns the directory below which the overlays of a cell are mounted. For a user it is in the cell's own directory, and is made here. */
export function overlaysDirectory(runDirectory: string, isStaged: boolean): string {
  if (isStaged) return stagedOverlays
  const directory = path.join(runDirectory, 'overlays')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return directory
}

/**
 * Returns the arguments that mount the overlays of a plan and start the next command (`overlays.pl`); none if there are no overlays.
 * `id`: that of the cell, for which `makeLayers` was called.
 */
export function overlayCommand(
  { perl, directory, id }: { readonly perl: string; readonly directory: string; readonly id: string },
  plan: CellPlan,
  sources: Sources,
): readonly string[] {
  const overlays = overlaysIn(plan)
  if (overlays.length === 0) return []
  const words = overlays.flatMap((each, index): readonly string[] => {
    const below = sources.below(index) ?? belowOverlay(each)
    if (each.kind === 'toolchain') return ['tool', below, `${each.sizeBytes ?? 0}`, ...layerWords(each, id, sources)]
    const inside = (file: string): string => path.relative(each.path, file)
    return [
      ...(each.access === 'rw' ? ['rw', below, `${each.sizeBytes ?? 0}`] : ['ro', each.path, '0']),
      ...each.hidden.flatMap((file) => ['hide', inside(file)]),
      ...mountPoints(plan, each).flatMap(([kind, at]) => [kind, inside(at)]),
    ]
  })
  // As text, because the cell's user on the host may not read files of root's home.
  return [perl, '-t', '-e', program(), '--', directory, ...words, '--']
}

function layerWords({ layer }: Extract<FsEntry, { kind: 'toolchain' }>, id: string, sources: Sources): readonly string[] {
  if (layer === undefined) return []
  const lower = layer.wider.map(changesIn).filter((each) => existsSync(each))
  const words = lower.flatMap((each) => ['lower', sources.of(each)])
  return ['upper', sources.of(changesIn(layer.own)), 'work', sources.of(workIn(layer.own, id)), ...words]
}

const workIn = (layer: string, id: string): string => path.join(layer, `${workPrefix}${id}`)

/** Makes the layers of a plan's toolchains for the cell with this id. */
export function makeLayers(plan: CellPlan, id: string): void {
  for (const each of overlaysIn(plan))
    if (each.kind === 'toolchain' && each.layer !== undefined)
      for (const directory of [changesIn(each.layer.own), workIn(each.layer.own, id)])
        mkdirSync(directory, { recursive: true, mode: 0o700 })
}

/** Returns the mount points that a read-only overlay needs, parents first. In a writable one, bwrap makes them. */
function mountPoints(
  { filesystem }: CellPlan,
  overlay: Extract<FsEntry, { kind: 'overlay' }>,
): readonly (readonly ['dir' | 'file', string])[] {
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

const showsTree = ({ kind }: FsEntry): boolean => ['overlay', 'toolchain', 'bind', 'tmpfs', 'copy', 'mask'].includes(kind)

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
