import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PaddockError } from '../../errors.ts'
import { contains, ghostSource } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'

/** Where the backend finds on the host what an entry shows in the cell. */
export interface Sources {
  /** For `bind` and `ghost` entries. */
  of(hostPath: string): string
  /** For the n-th `file` entry of the plan, or an empty one. */
  file(index: number | 'empty'): string
}

/** One idmapped mount that the stage makes: `source` of the host appears at `staged`, its owner as the cell's uid. */
interface Staged {
  readonly source: string
  readonly staged: string
  readonly owner: { readonly uid: number; readonly gid: number }
}

/** Everything stays where it is on the host: for Paddock running as an ordinary user. */
export function unstaged(filesDirectory: string): Sources {
  return { of: (hostPath) => hostPath, file: (index) => `${filesDirectory}/${index}` }
}

/**
 * What has to be staged for a plan when Paddock runs as root, and where bwrap then finds it. A path below another
 * staged one is found through that one, so that both show the same mount.
 * @throws PaddockError `BAD_INPUT` for a source that does not exist.
 */
export function stage(plan: CellPlan, filesDirectory: string): { readonly stagings: readonly Staged[]; readonly sources: Sources } {
  const wanted = plan.filesystem.flatMap((each) =>
    each.kind === 'bind' ? [each.source] : each.kind === 'ghost' ? [ghostSource(each)] : [],
  )
  const roots: string[] = []
  for (const source of [...new Set([filesDirectory, ...wanted])].sort((a, b) => a.length - b.length)) {
    if (!roots.some((each) => contains(each, source))) roots.push(source)
  }
  const stagings = roots.map((source, index) => ({ source, staged: `/run/paddock/${index}`, owner: ownerOf(source) }))
  const of = (hostPath: string): string => {
    const root = stagings.find((each) => contains(each.source, hostPath))
    return root === undefined ? hostPath : root.staged + hostPath.slice(root.source.length)
  }
  return { stagings, sources: { of, file: (index) => of(`${filesDirectory}/${index}`) } }
}

function ownerOf(source: string): { uid: number; gid: number } {
  const stat = statSync(source, { throwIfNoEntry: false })
  if (stat === undefined) throw new PaddockError('BAD_INPUT', `${source} does not exist, so it cannot be mounted.`)
  return { uid: stat.uid, gid: stat.gid }
}

/** What the stage does besides making mounts. */
interface StageMore {
  /** Files by which it enters a control group. */
  readonly entrances: readonly string[]
  /** Descriptors that it makes pipes of, which the cell reads or writes. */
  readonly pipes: readonly (readonly ['read' | 'write', number])[]
}

/** Returns the arguments that enter a control group, make these mounts, become this user and start the command that follows (`stage.pl`). */
export function stageCommand(perl: string, uid: number, stagings: readonly Staged[], more: StageMore): readonly string[] {
  return [
    perl,
    fileURLToPath(new URL('./stage.pl', import.meta.url)),
    String(uid),
    String(uid),
    ...more.entrances.flatMap((each) => ['enter', each]),
    ...more.pipes.flatMap(([end, descriptor]) => [end, String(descriptor)]),
    ...stagings.flatMap((each) => ['map', each.source, each.staged, String(each.owner.uid), String(each.owner.gid)]),
    '--',
  ]
}
