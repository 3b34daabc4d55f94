import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { realOf } from '../../git/git-settings.ts'
import { type CellGit, plainGit } from './cell-git.ts'
import type { LimitPlan } from './cell-limits.ts'
import { type CellTrust, trustFiles } from './certificates.ts'
import { heldConfig, sparseLock, sparsePatterns } from './held/held-config.ts'
import { sparseFileOf } from './held/held-repository.ts'
import type { HostView } from './host-view.ts'
import { keptLinks, type MachineFacts, type ProjectFacts } from './machine-facts.ts'
import type { CellPlan } from './plan-schema.ts'
import type { CellSpec, MountWish } from './spec.ts'
import { submoduleConfig } from './submodules/submodule-config.ts'
import { submoduleScriptEntries } from './submodules/submodule-script.ts'
import { syntheticFiles } from './synthetic-files.ts'
import { toolchainEntry } from './toolchains/tool-layers.ts'
import { asideOf } from './work-trees-view.ts'

/** One entry of the cell's view of the file system. A cell contains nothing else. */
export type FsEntry = CellPlan['filesystem'][number]

/** The directory in the cell that contains the files for the private home until the cell copies them. */
export const homeFilesDirectory = '/etc/paddock/home'

const MiB = 1024 ** 2
/** Targets that no mount may cover, because the cell itself needs them. */
const reserved = ['/', '/proc', '/dev', '/sys', '/etc', '/run', '/usr', '/bin', '/sbin', '/lib', '/lib64', '/tmp', '/var']

export function planFilesystem(
  spec: CellSpec,
  machine: MachineFacts,
  trees: readonly ProjectFacts[],
  identity: { readonly user: string; readonly uid: number; readonly gid: number; readonly home: string; readonly hostname: string },
  limits: LimitPlan,
  trust: CellTrust | null = null,
  git: CellGit = plainGit,
): readonly FsEntry[] {
  // Six places share this memory if no control group limits their total.
  const memory = Math.min(machine.memoryBytes, limits.memory.value ?? machine.memoryBytes)
  const scratch = Math.min(limits.disk.value ?? 32 * 1024 * MiB, Math.max(64 * MiB, Math.floor(memory / 8)))
  const entries: FsEntry[] = []
  // A directory cannot be made in /opt if /opt is a read-only mount, so its entries are mounted instead.
  const isInOpt = spec.mounts.some(({ source, target = source }) => path.normalize(target).startsWith('/opt/'))
  if (machine.view !== undefined) entries.push(...hostEntries(machine.view, scratch))
  else
    for (const each of machine.system.paths) {
      if (each.path === '/opt' && isInOpt)
        for (const name of machine.system.inOpt ?? []) entries.push({ kind: 'system', path: path.join('/opt', name) })
      else entries.push(each.link === null ? { kind: 'system', path: each.path } : { kind: 'symlink', path: each.path, to: each.link })
    }
  entries.push({ kind: 'proc', path: '/proc' }, { kind: 'dev', path: '/dev', shmBytes: scratch })
  for (const each of ['/tmp', '/var/tmp', '/run'])
    entries.push({ kind: 'tmpfs', path: each, sizeBytes: scratch, mode: each === '/run' ? 0o755 : 0o1777 })
  const held = heldConfig(
    trees.flatMap((each) => each.held ?? []),
    (each) => inCell(spec, each),
    git.attributes,
    identity.uid !== machine.user.uid,
  )
  const submodules = submoduleConfig(
    trees.flatMap((each) => each.submodules ?? []),
    (each) => inCell(spec, each),
  )
  const moreGitConfig = held.system + submodules.system + (spec.gitConfig ?? '')
  for (const each of syntheticFiles(identity, spec.egress, inertFiles(spec, trees), git, trees.some(hasLockedConfig), moreGitConfig))
    entries.push({ kind: 'file', ...each })
  for (const each of [...held.files, ...submodules.files]) entries.push({ kind: 'file', ...each })
  if (machine.submoduleScript != null && trees.some((each) => (each.submodules ?? []).length > 0))
    entries.push(...submoduleScriptEntries(machine.submoduleScript))
  for (const each of trustFiles(trust, machine, spec.mounts)) entries.push({ kind: 'file', ...each })
  // A sandbox inside cannot mount a /proc again that is partly covered (mount_namespaces(7)).
  if (!spec.degraded.includes('nested-sandbox'))
    for (const target of machine.coveredProc ?? []) entries.push({ kind: 'file', target, content: '' })
  // A toolchain in a tree of the cell is there already, writable.
  for (const each of machine.view === undefined ? machine.system.toolchains : [])
    if (!trees.some((tree) => contains(tree.path, each.source) || contains(inCell(spec, tree.path), each.target)))
      entries.push(toolchainEntry(each, spec.home.kind === 'persistent' ? spec.toolLayers : undefined, scratch))
  if (machine.view !== undefined) {
    // The home of the host is there already.
  } else if (spec.home.kind === 'temporary') entries.push({ kind: 'tmpfs', path: identity.home, sizeBytes: scratch, mode: 0o700 })
  else entries.push({ kind: 'bind', source: spec.home.path, target: identity.home, access: 'rw', reason: 'home' })
  for (const wish of spec.mounts) {
    refuseUnsafe(wish, machine, machine.view === undefined ? [] : (spec.hidden ?? []))
    if (trees.some((each) => each.path === wish.source && wish.access === 'rw')) continue
    entries.push({
      kind: 'bind',
      source: wish.source,
      target: wish.target ?? wish.source,
      access: wish.access,
      reason: wish.reason ?? 'user',
      ...(wish.within === undefined ? {} : { within: wish.within }),
    })
  }
  for (const each of spec.files) entries.push({ kind: 'file', target: each.target, content: each.content })
  for (const [index, each] of (spec.homeFiles ?? []).entries()) {
    if (path.isAbsolute(each.path) || path.normalize(each.path).startsWith('..')) {
      throw new PaddockError('BAD_INPUT', `${spec.name}: ${each.path} is not a path below the private home.`)
    }
    entries.push({ kind: 'file', target: `${homeFilesDirectory}/${index}`, content: each.content })
  }
  const writable = [
    ...spec.mounts.flatMap((each) => (each.access === 'rw' ? [each.source] : [])),
    ...trees.flatMap((each) => [each.path, each.outerGit ?? []].flat()),
  ]
  for (const each of trees) entries.push(...treeEntries(spec, each, machine, writable))
  // Mounts show their own files.
  for (const each of machine.view?.shown ?? [])
    if (!entries.some((entry) => targetOf(entry) === each.path || (entry.kind === 'bind' && contains(entry.target, each.path))))
      entries.push({ kind: 'file', target: each.path, content: each.content })
  if (entries.length > 2500) {
    throw new PaddockError('UNENFORCEABLE', `${spec.name}: the cell would have ${entries.length} mounts, more than can be made.`, {
      hint: 'Show it fewer files, or use a smaller project',
    })
  }
  return parentsFirst(entries)
}

/** Returns the entries that show the host's files. `bytes`: what can be written in the home. */
function hostEntries({ overlays, files, links, home }: HostView, bytes: number): readonly FsEntry[] {
  return [
    ...overlays.map(({ path: at, hidden }): FsEntry => ({ kind: 'overlay', path: at, access: 'ro', hidden: [...hidden] })),
    ...files.map((each): FsEntry => ({ kind: 'system', path: each })),
    ...links.map(({ path: at, to }): FsEntry => ({ kind: 'symlink', path: at, to })),
    { kind: 'overlay', path: home.path, access: 'rw', sizeBytes: bytes, hidden: [...home.hidden] },
    ...home.empty.map((each): FsEntry => ({ kind: 'tmpfs', path: each, sizeBytes: bytes, mode: 0o700 })),
  ]
}

/** Returns true if a git directory has a config that is read-only in the cell. */
function hasLockedConfig({ present, configViews = [] }: ProjectFacts): boolean {
  const inViews = new Set(configViews.map((each) => each.config))
  return present.some((each) => path.basename(each) === 'config' && !inViews.has(each))
}

/** Returns the names of the inert files at the root of the project. */
function inertFiles(spec: CellSpec, trees: readonly ProjectFacts[]): readonly string[] {
  const root = spec.projectCopy ?? spec.project ?? ''
  const absent = trees.flatMap((each) => (each.path === root ? each.absent : []))
  return absent.flatMap((each) => (each.kind === 'file' && path.dirname(each.path) === root ? [path.basename(each.path)] : []))
}

/**
 * Returns the entries for the project, or another tree that the cell may write to. Files in it that run later on the host are read-only.
 */
function treeEntries(spec: CellSpec, project: ProjectFacts, machine: MachineFacts, writable: readonly string[]): FsEntry[] {
  const isCopy = spec.project !== undefined && project.path === spec.projectCopy
  const place = (file: string): string => inCell(spec, file)
  /** Replaces paths in the copy with the project's own paths, because a copy on which no cell can start is removed. */
  const shown = (text: string): string => (isCopy ? text.replaceAll(project.path, place) : text)
  refuseUnsafe({ source: place(project.path), access: 'rw' }, machine, [])
  const isProject = isCopy || project.path === spec.project
  const entries: FsEntry[] = [
    { kind: 'bind', source: project.path, target: place(project.path), access: 'rw', reason: isProject ? 'project' : 'user' },
  ]
  const [link] = project.links
  const led = project.kept?.find(([, outside]) => outside !== null && writable.some((each) => overlaps(realOf(each), outside)))
  if ((link !== undefined || led !== undefined) && !spec.degraded.includes('run-later')) {
    const what =
      led === undefined ? `${place(link ?? '')} is a symbolic link` : `${place(led[0])} leads to ${led[1]}, which the cell may write to`
    throw new PaddockError('UNENFORCEABLE', `${what}, so it cannot be kept read-only in the cell.`, {
      hint: 'Replace the link by what it points to, or give this guarantee up for one run with --allow-degraded run-later',
    })
  }
  const foreign = project.foreign?.[0]
  if (foreign !== undefined) {
    throw new PaddockError(
      'UNENFORCEABLE',
      `${foreign} belongs to a cell of another Paddock (another user, or another PADDOCK_HOME), which removes it when that cell ends.`,
      {
        hint: `Wait until it has ended. If that Paddock was killed, run: rm -d ${(project.foreign ?? []).map(quoted).toReversed().join(' ')}`,
      },
    )
  }
  const unkept = project.unkept?.[0]
  if (unkept !== undefined && !spec.degraded.includes('run-later')) {
    throw new PaddockError('UNENFORCEABLE', `${shown(unkept)}.`, {
      hint: 'Fix it there (git config --list --show-origin shows what git reads), or give this guarantee up for one run with --allow-degraded run-later',
    })
  }
  // A directory that is a separate mount point cannot be renamed together with the protected entries in it.
  if (project.outerGit !== null)
    entries.push({ kind: 'bind', source: project.outerGit, target: project.outerGit, access: 'rw', reason: 'project' })
  const views = project.workTreeViews ?? []
  const viewed = new Set(views.map((each) => each.directory))
  for (const each of project.mainState ?? []) entries.push({ kind: 'bind', source: each, target: each, access: 'ro', reason: 'guard' })
  for (const each of project.guards)
    if (!viewed.has(each)) entries.push({ kind: 'bind', source: each, target: place(each), access: 'rw', reason: 'guard' })
  if (spec.deps === 'ro')
    for (const each of project.ways?.packages ?? []) {
      const source = path.join(project.path, each)
      entries.push({ kind: 'bind', source, target: place(source), access: 'ro', reason: 'packages' })
    }
  const configViews = project.configViews ?? []
  const inViews = new Set(configViews.flatMap((each) => [each.config, each.directory]))
  for (const each of project.present)
    if (!inViews.has(each)) entries.push({ kind: 'bind', source: each, target: place(each), access: 'ro', reason: 'run-later' })
  for (const { directory, view } of configViews)
    entries.push({ kind: 'bind', source: view, target: place(directory), access: 'rw', reason: 'guard' })
  for (const each of [...configViews.map(({ config }) => config), ...keptLinks(project)])
    entries.push({ kind: 'link', ...(isCopy ? { source: each } : {}), target: place(each) })
  for (const each of project.shownConfigs ?? []) entries.push({ kind: 'file', target: place(each.path), content: each.content })
  for (const each of project.sockets.slice(0, 200)) entries.push({ kind: 'file', target: place(each), content: '' })
  for (const each of project.held ?? []) {
    const file = sparseFileOf(each.git)
    entries.push({
      kind: 'file',
      target: place(file),
      content: sparsePatterns(each),
      mountPoint: { path: file, exists: each.hasSparseFile, isInDirectory: each.hasInfo },
    })
    // Git does not notice that it cannot replace the patterns, but it stops at their lock, before it changes the work tree.
    entries.push({
      kind: 'file',
      target: place(`${file}.lock`),
      content: sparseLock,
      mountPoint: { path: `${file}.lock`, exists: each.hasSparseLock, isInDirectory: true },
    })
  }
  for (const { path: source, kind: type, inert: content } of project.absent)
    entries.push({ kind: 'inert', ...(isCopy ? { source } : {}), target: place(source), type, content })
  // After the read-only and inert entries, because they cover these.
  for (const source of project.privateHooks ?? []) entries.push({ kind: 'copy', source, target: place(source) })
  // After the inert entries, because a view may cover one.
  for (const each of views)
    entries.push(
      { kind: 'bind', source: each.view, target: place(each.directory), access: 'rw', reason: 'guard' },
      { kind: 'bind', source: each.directory, target: place(asideOf(each)), access: 'ro', reason: 'guard' },
      // Configs have their logins left in the directory itself.
      ...configViews.flatMap(({ directory, view }): readonly FsEntry[] => {
        if (!contains(each.directory, directory)) return []
        const target = place(path.join(asideOf(each), path.relative(each.directory, directory)))
        return [{ kind: 'bind', source: view, target, access: 'ro', reason: 'guard' }]
      }),
    )
  return entries
}

/** Returns the path in the cell of a file in one of its trees. A copy is at the path of the project. */
function inCell(spec: CellSpec, file: string): string {
  const { project, projectCopy } = spec
  return project !== undefined && projectCopy !== undefined && contains(projectCopy, file)
    ? `${project}${file.slice(projectCopy.length)}`
    : file
}

function cannotBeMounted(source: string, why: string, hint: string): PaddockError {
  return new PaddockError('NOT_ALLOWED', `${source} cannot be mounted in a cell: ${why}.`, { hint })
}

/** Throws NOT_ALLOWED for the user's home directory, and for a directory that contains it. */
export function refuseHome(source: string, { realHome, user }: Pick<MachineFacts, 'realHome' | 'user'>): void {
  const homes = [realHome, user.home]
  if (!homes.some((each) => contains(source, each))) return
  const what = homes.includes(source) ? 'is' : 'contains'
  throw cannotBeMounted(source, `it ${what} your home directory`, 'Work in a separate directory, for example ~/projects/name')
}

function refuseUnsafe(wish: MountWish, machine: MachineFacts, hidden: readonly string[]): void {
  const target = wish.target ?? wish.source
  const say = (why: string, hint: string): never => {
    throw cannotBeMounted(wish.source, why, hint)
  }
  if (!path.isAbsolute(wish.source) || !path.isAbsolute(target)) say('the path is not absolute', 'Give an absolute path')
  // A workspace of a contest can replace the temporary files of a cell.
  const isReserved = reserved.includes(path.normalize(target)) && !(wish.reason === 'contest' && path.normalize(target) === '/tmp')
  if (isReserved) say(`${target} belongs to the cell itself`, 'Mount a directory below it')
  if (wish.reason === 'contest' && contains(path.normalize(target), machine.user.home))
    say(
      `${target} ${path.normalize(target) === machine.user.home ? 'is' : 'contains'} the home directory of the cell`,
      'Use another directory, or run as another user',
    )
  if (isInterface(wish)) say('it is an interface of the host, not data', 'Copy what the cell needs into a separate directory')
  refuseHome(wish.source, machine)
  for (const each of hidden)
    if (each !== wish.source && contains(wish.source, each))
      say(`it contains ${each}, which this cell must not see`, 'Mount less, or use --posture L2')
  for (const own of machine.ownDirectories) {
    if (contains(wish.source, own)) say(`it contains Paddock's own state (${own})`, 'Move Paddock with PADDOCK_HOME, or mount less')
    if (contains(own, wish.source) && !machine.ownMountable.some((each) => contains(each, wish.source)))
      say("it is part of Paddock's own state", 'Mount another directory: no cell may change what the next one may do')
  }
}

/** Returns true for paths of the kernel, devices or services. A program may be installed on a file system that is mounted there. */
function isInterface(wish: MountWish): boolean {
  const source = path.normalize(wish.source)
  const below = (directory: string): boolean => source !== directory && contains(directory, source)
  if (below('/dev/shm') || below('/run/media')) return false
  if (wish.reason === 'agent') return ['/proc', '/sys'].some((each) => contains(each, source)) || ['/dev', '/run'].includes(source)
  return ['/proc', '/sys', '/dev', '/run'].some((each) => contains(each, source))
}

/** Returns true if `outer` is `inner` or one of its ancestors. */
export function contains(outer: string, inner: string): boolean {
  return outer === inner || inner.startsWith(outer === '/' ? '/' : outer + '/')
}

function overlaps(one: string, other: string): boolean {
  return contains(one, other) || contains(other, one)
}

/** Returns the path of an inert entry on the host. */
export function inertSource(entry: Extract<FsEntry, { kind: 'inert' }>): string {
  return entry.source ?? entry.target
}

/** An inert entry on the host. */
export interface InertEntry {
  readonly path: string
  readonly type: 'file' | 'directory'
  readonly content: string
}

/** Returns the inert entries that a plan needs on the host, parents first. */
export function inertEntries(filesystem: readonly FsEntry[]): readonly InertEntry[] {
  return filesystem.flatMap((each): InertEntry[] => {
    if (each.kind === 'inert') return [{ path: inertSource(each), type: each.type, content: each.content }]
    if (each.kind !== 'file' || each.mountPoint === undefined || each.mountPoint.exists) return []
    const { path: file, isInDirectory } = each.mountPoint
    const directory: InertEntry = { path: path.dirname(file), type: 'directory', content: '' }
    return [...(isInDirectory ? [] : [directory]), { path: file, type: 'file', content: each.content }]
  })
}

/** Returns the path in the cell where an entry appears. */
export function targetOf(entry: FsEntry): string {
  return 'target' in entry ? entry.target : entry.path
}

/** Returns the entries in mount order: deeper paths later. */
export function parentsFirst(entries: readonly FsEntry[]): readonly FsEntry[] {
  const depth = (entry: FsEntry): number => targetOf(entry).split('/').filter(Boolean).length
  return entries
    .map((entry, index) => ({ entry, index }))
    .sort((a, b) => depth(a.entry) - depth(b.entry) || a.index - b.index)
    .map((each) => each.entry)
}

/** Quotes a path for a POSIX shell. */
function quoted(file: string): string {
  return `'${file.replaceAll("'", "'\\''")}'`
}
