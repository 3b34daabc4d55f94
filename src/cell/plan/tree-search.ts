import { randomBytes } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { kindBelow } from '../../files/kind-below.ts'
import { asideName, isConfigAside } from '../../git/config-put-aside.ts'
import { realOf } from '../../git/git-settings.ts'
import type { ConfigView } from './config-view.ts'
import type { HeldRepository } from './held/held-repository.ts'
import type { AbsentEntry, ListedFiles, ProjectFacts, Ways, WorkTree } from './machine-facts.ts'
import { isMarkedInert } from './protected/inert-mark.ts'
import { configLock, type RunLater } from './protected/run-later.ts'
import { type WorkTreesView, withOwn } from './work-trees-view.ts'

/** The findings of a search through a tree. */
export class TreeSearch {
  readonly root: string
  /** The path of the project in the cell, which tells its own work trees from others. */
  readonly project: string
  readonly present = new Set<string>()
  readonly absent = new Map<string, AbsentEntry>()
  readonly guards = new Set<string>()
  /** Directories that are read-only so that no entries can be created. Entries that were found in them may stay writable. */
  readonly shells = new Set<string>()
  /** Git directories that git may find from here, with the work trees that lead to them. Several may lead to the same one. */
  readonly repositories = new Map<string, Set<string>>()
  /** Git directories in the tree that have been searched. */
  readonly gitDirectories = new Set<string>()
  /** Places that git configurations name. */
  readonly configured = new Set<string>()
  /** Problems that prevent protection, one sentence each. */
  readonly unkept = new Set<string>()
  /** Inert entries of cells that another Paddock runs, which are not in this Paddock's records. */
  readonly foreign = new Set<string>()
  /** Configs that are aside. They and their directories are also in `present`. */
  readonly configViews: ConfigView[] = []
  /** Git directories that an earlier cell made, and that nobody has changed in a way that laundering would undo. They stay writable. */
  readonly laundered: string[] = []
  /** Links that prevent a start. */
  readonly links: string[] = []
  /** Links in place of entries that run later, with the paths outside the root to which they lead. They stay as they are. */
  readonly kept = new Map<string, string | null>()
  readonly sockets: string[] = []
  readonly listed: { -readonly [K in keyof ListedFiles]: string[] } = { files: [], unlisted: [] }
  readonly ways: { -readonly [K in keyof Ways]: string[] } = { links: [], packages: [], manifests: [] }
  readonly views: WorkTreesView[] = []
  /** Called with each git directory before its files are looked at. */
  readonly atGit: (git: string) => void
  /** True if the root has no entries. Then no inert entry is made in it. */
  isEmpty = false
  readonly #inertPaths: ReadonlySet<string>

  constructor(root: string, inertPaths: ReadonlySet<string>, project = root, atGit: (git: string) => void = () => undefined) {
    this.root = root
    this.project = project
    this.#inertPaths = inertPaths
    this.atGit = atGit
  }

  /** Returns the kind of a path in the root, without following a link in any part of the path. Null for the inert entries of others. */
  kind(file: string): ReturnType<typeof kindBelow> {
    return this.#inertPaths.has(file) ? null : kindBelow(this.root, file)
  }

  look(directory: string, rule: Pick<RunLater, 'path' | 'kind' | 'inert'>, absentToo: boolean): void {
    const file = directory === '/' ? `/${rule.path}` : `${directory}/${rule.path}`
    const kind = this.kind(file)
    const isAside =
      kind === 'link' && rule.path === 'config' && this.kind(path.join(directory, asideName)) === 'directory' && isConfigAside(file)
    if (isAside && !this.present.has(file)) {
      const aside = path.join(directory, asideName)
      this.configViews.push({ config: file, directory: aside, view: path.join(aside, randomBytes(4).toString('hex')) })
      this.present.add(aside)
    }
    if (kind === 'link' && !isAside) this.keep(file, '', rule.kind)
    else if (kind !== null) {
      this.present.add(file)
      if (isMarkedInert(file)) this.foreign.add(file)
      this.guard(path.dirname(file))
    } else if (absentToo && rule.inert !== null && (this.kind(path.dirname(file)) === 'directory' || this.absent.has(path.dirname(file))))
      this.absent.set(file, { path: file, kind: rule.kind, inert: rule.inert })
  }

  /** Keeps git on the host from replacing the config of a git directory. A lock that already exists belongs to git and is short-lived. */
  lock(git: string): void {
    const file = path.join(git, configLock.path)
    const kind = this.kind(file)
    if (kind === 'file' && isMarkedInert(file)) this.foreign.add(file)
    else if (kind === null && this.kind(path.join(git, 'config')) === 'file') this.absent.set(file, { ...configLock, path: file })
  }

  /**
   * Protects a path at any depth that a git configuration names. If parts of the path are missing, or one is a file, the first of these is
   * protected, so that nothing can be created at the end of the path.
   */
  sent(file: string, kind: RunLater['kind']): void {
    if (file === this.root) {
      if (kind === 'directory') this.unkept.add(`core.hooksPath names ${file} itself, which cannot be read-only in its own cell`)
      return
    }
    this.configured.add(file)
    let at = this.root
    for (const name of path.relative(this.root, file).split('/')) {
      at = path.join(at, name)
      const standing = this.kind(at)
      if (standing === 'directory' && at !== file) continue
      if (standing === 'link') return this.keep(at, path.relative(at, file), kind)
      if (standing !== null) this.present.add(at)
      else if (!this.isEmpty && !this.absent.has(at)) this.absent.set(at, { path: at, kind: at === file ? kind : 'directory', inert: '' })
      this.guard(path.dirname(at))
      return
    }
  }

  /**
   * Keeps a link as it is, and protects the path in the root to which it leads (`sent`). `rest`: the path below it. If it leads out of the
   * root, the path there is only noted.
   */
  keep(link: string, rest: string, kind: RunLater['kind']): void {
    if (this.kept.has(link)) return
    this.kept.set(link, null)
    this.guard(path.dirname(link))
    const names = readlinkSync(link).split('/')
    // Parts of the path that are links themselves are followed by `sent`, and outside by the kernel.
    let at = names[0] === '' ? '/' : path.dirname(link)
    for (const name of [...names, ...rest.split('/')]) {
      const isInside = at === this.root || at.startsWith(`${this.root}/`)
      if (name === '..' && isInside && this.kind(at) === 'link') this.links.push(link)
      at = path.join(at, name)
    }
    const inCell = at === this.project || at.startsWith(`${this.project}/`) ? path.join(this.root, path.relative(this.project, at)) : at
    const target = inCell.startsWith(`${this.root}/`) ? inCell : realOf(inCell)
    if (target === this.root) this.unkept.add(`${link} leads to ${this.root} itself, which cannot be read-only in its own cell`)
    else if (target.startsWith(`${this.root}/`)) this.sent(target, kind)
    else this.kept.set(link, target)
  }

  /** Adds the findings of another tree that the same cell writes to. */
  add(other: TreeSearch): void {
    for (const each of other.present) this.present.add(each)
    for (const [each, rule] of other.absent) this.absent.set(each, rule)
    for (const each of other.foreign) this.foreign.add(each)
    for (const each of other.guards) this.guards.add(each)
    for (const each of other.shells) this.shells.add(each)
    this.links.push(...other.links)
    for (const [each, target] of other.kept) this.kept.set(each, target)
    this.views.push(...other.views)
    this.configViews.push(...other.configViews)
    for (const each of other.configured) this.configured.add(each)
    for (const each of other.unkept) this.unkept.add(each)
  }

  /** Adds a repository, and a work tree from which git finds it. */
  repository(git: string, workTree: string | null): void {
    const workTrees = this.repositories.get(git) ?? new Set()
    this.repositories.set(git, workTree === null ? workTrees : workTrees.add(workTree))
  }

  /** Makes a directory and its ancestors in the root separate mount points, so that none can be renamed. */
  guard(directory: string): void {
    for (let each = directory; each !== this.root && each.startsWith(`${this.root}/`); each = path.dirname(each)) this.guards.add(each)
  }

  facts(outerGit: string | null, isRepository: boolean, held: readonly HeldRepository[], workTrees: readonly WorkTree[]): ProjectFacts {
    // A guard inside a directory that is read-only as a whole would be writable.
    const guards = [...this.guards].filter((each) => !this.isInPresent(each)).sort((a, b) => a.length - b.length)
    const { root: path, links, sockets, listed, ways } = this
    const workTreeViews = this.views.map((each) => withOwn(each, (entry) => this.guards.has(entry)))
    const [present, absent] = [[...this.present], [...this.absent.values()]]
    const [configured, unkept, foreign] = [[...this.configured], [...this.unkept], [...this.foreign]]
    return {
      path,
      isRepository,
      present,
      absent,
      guards,
      links,
      kept: [...this.kept],
      sockets,
      outerGit,
      configured,
      unkept,
      foreign,
      configViews: this.configViews,
      laundered: this.laundered,
      held,
      listed,
      ways,
      workTrees,
      workTreeViews,
    }
  }

  private isInPresent(file: string): boolean {
    for (let each = file; each !== '/'; each = path.dirname(each))
      if (this.present.has(each) && (each === file || !this.shells.has(each))) return true
    return false
  }
}
