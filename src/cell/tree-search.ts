import path from 'node:path'
import type { ProjectFacts } from './facts.ts'
import { kindBelow } from './kind-below.ts'
import type { RunLater } from './run-later.ts'

/** What was found so far, while a tree is searched. */
export class TreeSearch {
  readonly root: string
  readonly present = new Set<string>()
  readonly absent = new Map<string, { path: string; kind: 'file' | 'directory'; inert: string }>()
  readonly guards = new Set<string>()
  /** Git directories that were looked at: one may be found by several ways. */
  readonly gitDirectories = new Set<string>()
  readonly links: string[] = []
  readonly sockets: string[] = []
  readonly #ghosts: ReadonlySet<string>

  constructor(root: string, ghosts: ReadonlySet<string>) {
    this.root = root
    this.#ghosts = ghosts
  }

  /** What stands at a path below the root, without following a link in any part of it; ghosts count as nothing. */
  kind(file: string): ReturnType<typeof kindBelow> {
    return this.#ghosts.has(file) ? null : kindBelow(this.root, file)
  }

  look(directory: string, rule: Pick<RunLater, 'path' | 'kind' | 'inert'>, absentToo: boolean): void {
    const file = path.join(directory, rule.path)
    const kind = this.kind(file)
    if (kind === 'link') this.links.push(file)
    else if (kind !== null) {
      this.present.add(file)
      this.guard(path.dirname(file))
    } else if (absentToo && (this.kind(path.dirname(file)) === 'directory' || this.absent.has(path.dirname(file))))
      this.absent.set(file, { path: file, kind: rule.kind, inert: rule.inert })
  }

  /** A directory and its ancestors below the root become mount points of their own, so that none can be renamed. */
  guard(directory: string): void {
    for (let each = directory; each !== this.root && each.startsWith(`${this.root}/`); each = path.dirname(each)) this.guards.add(each)
  }

  facts(outerGit: string | null, isRepository: boolean): ProjectFacts {
    const guards = [...this.guards].sort((a, b) => a.length - b.length)
    const { root, links, sockets } = this
    return { path: root, isRepository, present: [...this.present], absent: [...this.absent.values()], guards, links, sockets, outerGit }
  }
}
