import path from 'node:path'
import { gitConfigMark } from '../../git/config-mark.ts'
import { configFileOf } from '../../git/config-put-aside.ts'
import { headsOf, textOfHead } from '../../git/tips.ts'
import { inertEntries } from '../plan/filesystem.ts'
import { keptLinks, type MachineFacts, type ProjectFacts } from '../plan/machine-facts.ts'
import type { CellPlan } from '../plan/plan.ts'
import { neighboursIn } from '../plan/work-trees-view.ts'
import { linksBelow } from '../trees/git-links.ts'
import { heldStarts } from '../trees/held/held-start.ts'
import { userTips } from '../trees/held/user-tips.ts'
import { knownEntries } from '../trees/known-entries.ts'
import type { CellRecord } from './cell-registry.ts'

/** Returns the record of a cell before it starts, from the findings about the trees that it may write to. `others`: those of other cells. */
export function newRecord(
  id: string,
  startedAt: number,
  planned: CellPlan,
  trees: readonly ProjectFacts[],
  stateDirectory: string,
  { runLater }: Pick<MachineFacts, 'runLater'>,
  others: () => readonly CellRecord[] = () => [],
): CellRecord {
  const isShared = (common: string): boolean => others().some((each) => each.held?.some((held) => held.common === common) === true)
  const configViews = trees.flatMap((each) => each.configViews ?? [])
  const outerGits = trees.flatMap((each) => each.outerGit ?? [])
  const gitConfigs = trees.flatMap((each) => each.present).filter((each) => path.basename(each) === 'config')
  const protectedInGit = trees.flatMap((each) => [...each.present, ...each.absent.map((absent) => absent.path)])
  const gitDirectories = protectedInGit.filter((each) => path.basename(each) === 'config').map((each) => path.dirname(each))
  const heads = new Map<string, string>()
  const headOf = (own: string): string => heads.get(own) ?? heads.set(own, textOfHead(own)).get(own) ?? ''
  const workTrees = trees.flatMap((each) => each.workTreeViews ?? [])
  return {
    id,
    name: planned.name,
    project: planned.filesystem.flatMap((each) => (each.kind === 'bind' && each.reason === 'project' ? [each.target] : []))[0] ?? null,
    egress: planned.egress.mode,
    terminal: planned.terminal,
    backend: planned.backend,
    host: null,
    startedAt,
    trees: planned.trees,
    known: knownEntries([
      ...trees.flatMap((each) => [...each.present, ...each.links, ...keptLinks(each), ...each.guards, each.path]),
      ...outerGits,
    ]),
    taskTrees: trees.flatMap((each) => (each.isTaskTree === true ? [each.path] : [])),
    configured: trees.flatMap((each) => each.configured ?? []),
    outerGits,
    submodules: trees.flatMap((each) => each.submodules ?? []),
    workTrees,
    shown: planned.filesystem.flatMap((each) => (each.kind === 'bind' && each.reason === 'user' ? [each.source] : [])),
    ofSystem: planned.filesystem.flatMap((each) => {
      if (each.kind === 'system') return [each.path]
      return each.kind === 'toolchain' || (each.kind === 'bind' && each.reason === 'toolchain') ? [each.source] : []
    }),
    gitLinks: linksBelow([...gitDirectories, ...outerGits], neighboursIn(workTrees)),
    gitConfigs: gitConfigs.map((each) => [each, gitConfigMark(configFileOf(path.dirname(each)))]),
    repositories: gitConfigs.map((each) => [path.dirname(each), headsOf(path.dirname(each), headOf)]),
    held: heldStarts(
      trees.flatMap((each) => each.held ?? []),
      (common) => userTips(path.join(stateDirectory, 'user-tips'), common, headOf, () => isShared(common)),
    ),
    aside: configViews.map((each) => path.dirname(each.config)),
    laundered: trees.flatMap((each) => each.laundered ?? []),
    runDirectory: path.join(stateDirectory, 'run', id),
    worktrees: path.join(stateDirectory, 'worktrees'),
    inertPaths: [],
    inert: inertEntries(planned.filesystem).flatMap((each) => (each.content === '' ? [] : [[each.path, each.content]])),
    runLater,
  }
}
