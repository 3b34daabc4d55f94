import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import { contains, type FsEntry, inertSource } from '../../plan/filesystem.ts'
import type { CellPlan } from '../../plan/plan.ts'

/** A cell's access to a tree of the host. Of all areas that contain a path, the last one decides. */
export interface Area {
  /** The path without symbolic links. */
  readonly path: string
  readonly access: 'none' | 'ro' | 'rw'
}

/** The paths of a plan's entries on a host that cannot mount anything. NOT RUN ON MACOS. */
export interface Layout {
  /** The areas. Later ones take precedence. */
  readonly areas: readonly Area[]
  /** Paths of the plan that are in other places on the host. They are replaced in the cell's arguments. */
  readonly moved: readonly { readonly cell: string; readonly host: string }[]
  /** The cell's own directories, to be created empty. */
  readonly directories: readonly string[]
  /** The cell's own files, which it may read. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** Directories that must not be renamed or removed. */
  readonly fixed: readonly string[]
}

/** Returns a path without symbolic links. A path that does not exist is resolved from its nearest existing ancestor. */
export type RealPath = (file: string) => string

/**
 * Lays a plan out in `run`, a directory that belongs only to this cell. Pure except for `real`.
 * @throws PaddockError `UNENFORCEABLE` for entries that only a mount could provide.
 */
export function layOut(plan: CellPlan, run: string, real: RealPath): Layout {
  const areas: Area[] = []
  const own: Area[] = []
  const moved: { cell: string; host: string }[] = []
  const directories: string[] = []
  const files: { path: string; content: string }[] = []
  const fixed: string[] = []
  const ownDirectory = (cell: string): void => {
    const host = path.join(run, 'own', String(directories.length))
    areas.push({ path: real(cell), access: 'none' })
    own.push({ path: real(host), access: 'rw' })
    moved.push({ cell, host })
    directories.push(host)
    fixed.push(real(host))
  }
  for (const entry of plan.filesystem) {
    switch (entry.kind) {
      case 'system':
        areas.push({ path: real(entry.path), access: 'ro' })
        break
      case 'overlay':
        throw notHere(plan, entry, 'a directory of the host cannot appear without its sockets')
      case 'toolchain':
        if (real(entry.source) !== real(entry.target)) throw notHere(plan, entry, `${entry.source} cannot appear at ${entry.target}`)
        areas.push({ path: real(entry.source), access: 'ro' })
        break
      case 'symlink':
      case 'proc':
      case 'dev':
        break
      case 'tmpfs':
        ownDirectory(entry.path)
        break
      case 'bind':
        if (entry.reason === 'home') {
          areas.push({ path: real(entry.target), access: 'none' })
          own.push({ path: real(entry.source), access: 'rw' })
          moved.push({ cell: entry.target, host: real(entry.source) })
          fixed.push(real(entry.source))
          break
        }
        if (real(entry.source) !== real(entry.target)) throw notHere(plan, entry, `${entry.source} cannot appear at ${entry.target}`)
        areas.push({ path: real(entry.source), access: entry.access })
        if (entry.access === 'rw') fixed.push(real(entry.source))
        break
      case 'mask':
        // Closed instead of empty, because nothing can be mounted over it.
        areas.push({ path: real(entry.source), access: 'none' })
        fixed.push(real(entry.source))
        break
      // Nothing can be mounted over the directory.
      case 'copy':
        areas.push({ path: real(entry.target), access: 'ro' })
        break
      case 'link':
        areas.push({ path: entry.target, access: 'ro' })
        break
      case 'inert':
        if (real(inertSource(entry)) !== real(entry.target))
          throw notHere(plan, entry, `${inertSource(entry)} cannot appear at ${entry.target}`)
        areas.push({ path: real(entry.target), access: 'ro' })
        break
      case 'file':
        if (contains('/etc', entry.target) || (contains('/run/paddock', entry.target) && entry.content !== '')) {
          const host = path.join(run, 'files', entry.target)
          moved.push({ cell: entry.target, host })
          files.push({ path: host, content: entry.content })
        } else if (entry.mountPoint !== undefined) areas.push({ path: real(entry.target), access: 'ro' })
        else if (entry.content === '') areas.push({ path: real(entry.target), access: 'none' })
        else throw notHere(plan, entry, `a file of the cell's own cannot appear at ${entry.target}`)
        break
    }
  }
  const depth = ({ path: each }: Area): number => each.split('/').filter(Boolean).length
  // Parents first, like mounts. Entries at the same path keep the order of the plan. The cell's own areas are outside the plan's trees.
  const sorted = areas.map((area, index) => ({ area, index })).sort((a, b) => depth(a.area) - depth(b.area) || a.index - b.index)
  return {
    areas: [
      ...sorted.map(({ area }) => area),
      ...own,
      ...(files.length === 0 ? [] : [{ path: real(path.join(run, 'files')), access: 'ro' as const }]),
    ],
    moved,
    directories,
    files: files.map((each) => ({ ...each, content: inPlace(each.content, moved) })),
    fixed: [...new Set(fixed)],
  }
}

/** Replaces paths of the plan in the cell's own files, which refer to each other by these paths. */
function inPlace(content: string, moved: Layout['moved']): string {
  return moved
    .filter((each) => each.cell.startsWith('/etc/paddock/'))
    .reduce((text, { cell, host }) => text.replaceAll(cell, host), content)
}

function notHere(plan: CellPlan, entry: FsEntry, what: string): PaddockError {
  return new PaddockError('UNENFORCEABLE', `${plan.name}: ${what}: there are no mounts on macOS (${entry.kind}).`, {
    hint: 'Leave --copy out, and show files at their own paths',
  })
}
