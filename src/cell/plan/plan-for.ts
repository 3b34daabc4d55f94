import { statSync } from 'node:fs'
import path from 'node:path'
import { withCredentials } from '../../egress/placeholder/with-credentials.ts'
import { refuseAsProject } from '../../files/not-projects.ts'
import { gitUser } from '../../git/git-settings.ts'
import { findProgram } from '../../system/program-in-path.ts'
import { planOnBareHost } from './bare-host/plan-command.ts'
import { cellGit } from './cell-git.ts'
import { trustOf } from './certificates.ts'
import { contains, refuseHome } from './filesystem.ts'
import { inspectHostView, withoutGitLogins } from './host-view.ts'
import { keyStoreFiles } from './java/key-store-files.ts'
import type { MachineFacts, ProjectFacts } from './machine-facts.ts'
import { outsideNotices } from './outside-project.ts'
import { packageStores, storeNotice } from './package-stores.ts'
import { type CellPlan, plan } from './plan.ts'
import { planWayOut } from './plan-way-out.ts'
import { pnpmSettings } from './pnpm-store.ts'
import { programsInCell, visibleInCell } from './programs-in-cell.ts'
import { inspectProject } from './project-facts.ts'
import { type RunLater, rulesIn } from './protected/run-later.ts'
import { type CellSpec, taskTreesOf } from './spec.ts'
import { userCertificates } from './user-certificates.ts'
import { waysOut } from './ways-out.ts'

/**
 * Returns the plan for a spec on this machine, with the facts about the trees that the cell may write to. It contains no key and no
 * credential, only names and certificates.
 * @param certificate the certificate (PEM) of the authority that signs for the inspected hosts; null if none is inspected.
 */
export function planFor(
  asked: CellSpec,
  host: MachineFacts,
  inertPaths: () => ReadonlySet<string>,
  certificate: string | null,
  atGit?: (git: string) => void,
): { readonly planned: CellPlan; readonly trees: readonly ProjectFacts[] } {
  if (asked.posture === 'L0') return { planned: planOnBareHost(asked, host), trees: [] }
  const user = gitUser(host.user, host.env)
  const machine =
    asked.posture === 'L1'
      ? { ...host, view: withoutGitLogins(inspectHostView(host, asked.hidden, { used: usedBy(asked, host) }), user) }
      : host
  const wished = { ...asked, egress: withCredentials(asked.egress, asked.credentials ?? []) }
  if (wished.project !== undefined) {
    refuseAsProject(wished.project, [machine.realHome, machine.user.home])
    // Also before the search of it, which would take long.
    if (wished.projectCopy === undefined) refuseHome(wished.project, machine)
  }
  const project = wished.projectCopy ?? wished.project
  const roots = treesOf(wished)
  const taskTrees = taskTreesOf(wished)
  let trees: readonly ProjectFacts[] = []
  // The search is repeated if another cell of the same tree starts or ends during it.
  for (let before = inertPaths(), tries = 0; tries < 5; tries++) {
    const known = before
    trees = roots.map((each) =>
      inspectProject(each, rulesIn(each, { ...machine, taskTrees }), known, user, {
        isTaskTree: taskTrees.includes(each),
        readOnly: readOnlyIn(each, wished),
        isTaken: (rule, isStarted) => isTaken(rule, isStarted, wished, machine),
        ...(each === project && wished.project !== undefined ? { project: wished.project } : {}),
        atGit,
      }),
    )
    const after = inertPaths()
    if (after.size === before.size && [...after].every((each) => known.has(each))) break
    before = after
  }
  const facts = trees.find((each) => each.path === project)
  const ways = wished.project === undefined || facts?.ways === undefined ? [] : waysOut(wished.project, facts.ways)
  const isInCell = visibleInCell(wished, machine)
  const stores = packageStores(wished.project ?? '', ways, machine).filter((each) => !isInCell(each))
  const spec: CellSpec = {
    ...wished,
    mounts: [...wished.mounts, ...stores.map((source) => ({ source, access: 'ro', reason: 'toolchain' }) as const)],
    homeFiles: [...(wished.homeFiles ?? []), ...pnpmSettings(wished, machine)],
  }
  const out = planWayOut(spec.egress, machine.wayOut)
  const added = [
    ...(certificate === null ? [] : [certificate]),
    ...out.certificates,
    ...userCertificates(spec, machine, certificate !== null),
  ]
  const trust = added.length === 0 ? null : trustOf(added, keyStoreFiles(spec, machine))
  const git = cellGit(machine, spec.project, trees, programsInCell(spec, machine))
  const missing = spec.project === undefined ? [] : outsideNotices(spec.project, facts, ways, machine, visibleInCell(spec, machine))
  const planned = plan(spec, machine, trees, trust, {
    ...git,
    notices: [...out.notices, ...git.notices, ...stores.map(storeNotice), ...missing, ...missingProgram(spec, machine)],
  })
  return { planned: out.way === null ? planned : { ...planned, wayOut: out.way }, trees }
}

/** Returns the paths of the host that a cell needs: its project, its mounts and the directories of PATH. */
function usedBy({ project, mounts, pathEntries }: CellSpec, { env }: MachineFacts): readonly string[] {
  const named = [project ?? '', ...mounts.map((each) => each.target ?? each.source), ...pathEntries, ...(env['PATH'] ?? '').split(':')]
  return named.filter((each) => path.isAbsolute(each))
}

/** Returns the directories of the host that a cell writes to in the user's name: the project or its copy, and those of `--rw`. None at L0. */
export function treesOf({ project, projectCopy, mounts, posture }: CellSpec): readonly string[] {
  if (posture === 'L0') return []
  const own = mounts.filter((each) => each.access === 'rw' && (each.reason ?? 'user') === 'user' && isDirectory(each.source))
  const first = projectCopy ?? project
  return [...new Set([...(first === undefined ? [] : [first]), ...own.map((each) => each.source)])]
}

/** Returns the directories in a tree that the user has made read-only for the cell, named in the project if the tree is its copy. */
function readOnlyIn(tree: string, { mounts, project, projectCopy }: CellSpec): readonly string[] {
  const root = tree === projectCopy && project !== undefined ? project : tree
  return mounts
    .filter(({ access, reason = 'user', source, target = source }) => access === 'ro' && reason === 'user' && source === target)
    .filter(({ source }) => source !== root && contains(root, source))
    .map(({ source }) => path.join(tree, path.relative(root, source)))
    .filter(isDirectory)
}

/** Returns a sentence if the command is a program of this machine that the cell does not have. */
function missingProgram(spec: CellSpec, machine: MachineFacts): readonly string[] {
  const [name = ''] = spec.command
  if (name.includes('/') || programsInCell(spec, machine)(name)) return []
  const file = findProgram(name, machine.env['PATH'] ?? '')
  if (file === null) return []
  const directory = path.dirname(file)
  return [`${name} is ${file} on this machine, which the cell does not have: --ro ${directory}`]
}

/** Returns true if a cell keeps the name of a rule from being used at all: a tool of this machine would obey it at once, or the user wants it so. */
function isTaken(
  { path: name, kind, inert, tool }: RunLater,
  isStarted: boolean,
  { strictNames }: CellSpec,
  { tools = [] }: MachineFacts,
): boolean {
  if (inert === null) return false
  if (strictNames === true || (Array.isArray(strictNames) && strictNames.includes(name))) return true
  // Tools that make a project empty its directory first.
  if (!isStarted) return false
  // A file in such a directory is one without which the tool itself does not start there.
  return (kind === 'directory' || name.includes('/')) && (tool ?? '').split(' ').some((each) => tools.includes(each))
}

function isDirectory(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
}
