import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PaddockError } from '../../base/errors.ts'
import { contains, type FsEntry, inertSource } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'
import type { Copies, CopyEntry } from './plan-copies.ts'

/** A directory of the host that a cell sees as an overlay. */
export type OverlayEntry = Extract<FsEntry, { kind: 'overlay' | 'toolchain' }>

/** Returns the overlays of a plan, in its order. */
export function overlaysIn({ filesystem }: Pick<CellPlan, 'filesystem'>): readonly OverlayEntry[] {
  return filesystem.filter(isOverlay)
}

/** Returns true for an entry that is an overlay. */
export function isOverlay(entry: FsEntry): entry is OverlayEntry {
  return entry.kind === 'overlay' || entry.kind === 'toolchain'
}

/** Returns the directory of the host below an overlay. */
export function belowOverlay(entry: OverlayEntry): string {
  return entry.kind === 'overlay' ? entry.path : entry.source
}

/** The paths on the host from which the backend mounts entries. */
export interface Sources {
  /** Returns the path for `bind` and `inert` entries. */
  of(hostPath: string): string
  /** Returns the path for the n-th `file` entry of the plan, or for an empty one. */
  file(index: number | 'empty'): string
  /** Returns the path for a `copy` entry. */
  copy(entry: CopyEntry): string
  /** Returns the path of the host's directory below the n-th `overlay` entry of the plan, if it is writable. */
  below(index: number): string | null
  /** Returns the path for the n-th `overlay` entry of the plan. */
  overlay(index: number): string
}

/** One idmapped mount that the stage makes: `source` on the host appears at `staged`, with the cell's uid as its owner. */
interface Staged {
  /**
   * `either`: if the file system has no idmapped mounts, like that of a container's image, a plain one is made, because the cell only reads
   * from it. The cell then reads what every user of the host may read.
   */
  readonly how: 'map' | 'either'
  readonly source: string
  readonly staged: string
  readonly owner: { readonly uid: number; readonly gid: number }
}

/** The cell's own directories on the host: the one with the `file` entries, and those with the copies. */
interface CellPaths {
  readonly files: string
  readonly copies: Copies
  /** The directory below which the overlays are mounted. */
  readonly overlays: string
}

const overlayIn = (directory: string, index: number): string => `${directory}/${index}/merged`

/** Returns the sources for an ordinary user, which are used directly. */
export function unstaged({ files, copies, overlays }: CellPaths): Sources {
  return {
    of: (hostPath) => hostPath,
    file: (index) => `${files}/${index}`,
    copy: (entry) => copies.get(entry) ?? '',
    below: () => null,
    overlay: (index) => overlayIn(overlays, index),
  }
}

/**
 * Returns the mounts to stage for a plan when Paddock runs as root, and the paths where bwrap finds them. A path under another
 * staged path is found through that one, so that both show the same mount.
 * @throws PaddockError `BAD_INPUT` for a source that does not exist.
 */
export function stage(
  plan: CellPlan,
  { files, copies, overlays }: CellPaths,
): { readonly stagings: readonly Staged[]; readonly sources: Sources } {
  const read = plan.filesystem.flatMap((each) => (each.kind === 'bind' && each.access === 'ro' ? [each.source] : []))
  const written = plan.filesystem.flatMap((each) =>
    each.kind === 'bind' && each.access === 'rw' ? [each.source] : each.kind === 'inert' ? [inertSource(each)] : layersOf(each),
  )
  const own = [files, ...copies.values(), ...written]
  const roots: string[] = []
  for (const source of [...new Set([...own, ...read])].sort((a, b) => a.length - b.length)) {
    if (!roots.some((each) => contains(each, source))) roots.push(source)
  }
  const stagings = roots.map((source, index) => {
    const how = own.some((each) => contains(source, each)) ? ('map' as const) : ('either' as const)
    return { how, source, staged: `/run/paddock/${index}`, owner: ownerOf(source) }
  })
  // Apart from the others: the directories in a home may have other owners.
  const belowOverlays = overlaysIn(plan).flatMap((each, index): (Staged & { readonly index: number })[] => {
    if (each.kind === 'overlay' && each.access === 'ro') return []
    const source = belowOverlay(each)
    const how = each.kind === 'overlay' ? 'map' : 'either'
    return [{ how, source, staged: `/run/paddock/below-${index}`, owner: ownerOf(source), index }]
  })
  const of = (hostPath: string): string => {
    const root = stagings.find((each) => contains(each.source, hostPath))
    return root === undefined ? hostPath : root.staged + hostPath.slice(root.source.length)
  }
  return {
    stagings: [...stagings, ...belowOverlays],
    sources: {
      of,
      file: (index) => of(`${files}/${index}`),
      copy: (entry) => of(copies.get(entry) ?? ''),
      below: (index) => belowOverlays.find((each) => each.index === index)?.staged ?? null,
      overlay: (index) => overlayIn(overlays, index),
    },
  }
}

/** Returns the directory with the layers of a toolchain. */
function layersOf(entry: FsEntry): readonly string[] {
  return entry.kind === 'toolchain' && entry.layer !== undefined ? [entry.layer.directory] : []
}

function ownerOf(source: string): { uid: number; gid: number } {
  const stat = statSync(source, { throwIfNoEntry: false })
  if (stat === undefined) throw new PaddockError('BAD_INPUT', `${source} does not exist, so it cannot be mounted.`)
  return { uid: stat.uid, gid: stat.gid }
}

/** Other tasks of the stage besides making mounts. */
interface StageMore {
  /** Files that the stage writes to in order to enter a control group. */
  readonly entrances: readonly string[]
  /** Descriptors for which the stage creates pipes that the cell reads or writes. */
  readonly pipes: readonly (readonly ['read' | 'write', number])[]
}

/** Returns the arguments that enter a control group, create these mounts, become this user and start the next command (`stage.pl`). */
export function stageCommand(perl: string, uid: number, stagings: readonly Staged[], more: StageMore): readonly string[] {
  return [
    perl,
    fileURLToPath(new URL('./stage.pl', import.meta.url)),
    String(uid),
    String(uid),
    ...more.entrances.flatMap((each) => ['enter', each]),
    ...more.pipes.flatMap(([end, descriptor]) => [end, String(descriptor)]),
    ...stagings.flatMap((each) => [each.how, each.source, each.staged, String(each.owner.uid), String(each.owner.gid)]),
    '--',
  ]
}
