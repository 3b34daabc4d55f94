import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { standardPath } from './environment.ts'
import { contains } from './filesystem.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { CellSpec } from './spec.ts'

/** Returns a function that returns true for a path outside of the project that a cell shows at the same place. */
export function visibleInCell(spec: Pick<CellSpec, 'mounts'>, machine: Pick<MachineFacts, 'system' | 'view'>): (file: string) => boolean {
  const same = spec.mounts.filter((each) => each.target === undefined || each.target === each.source)
  const { view } = machine
  const visible = [
    ...(view === undefined ? machine.system.paths : [...view.overlays, ...view.links, view.home]).map((each) => each.path),
    ...machine.system.toolchains.flatMap((each) => [each.source, each.target]),
    ...same.map((each) => each.source),
  ]
  const hidden = view === undefined ? [] : [...view.overlays, view.home].flatMap((each) => each.hidden)
  return (file) => visible.some((each) => contains(each, file)) && !hidden.some((each) => contains(each, file))
}

/** Returns a function that returns true for a program that a cell finds in its PATH, by name or by absolute path. */
export function programsInCell(
  spec: Pick<CellSpec, 'mounts' | 'pathEntries'>,
  machine: Pick<MachineFacts, 'env' | 'system' | 'view'>,
): (name: string) => boolean {
  const isVisible = visibleInCell(spec, machine)
  const fromHost = [...(machine.env['PATH'] ?? '').split(':'), ...standardPath].filter(
    (each) => path.isAbsolute(each) && isVisible(path.normalize(each)),
  )
  const directories = [...new Set([...spec.pathEntries, ...fromHost])]
  return (name) => {
    const files = path.isAbsolute(name) ? [name] : name.includes('/') ? [] : directories.map((each) => path.join(each, name))
    return files.some((each) => {
      const source = mountedFrom(spec, each)
      return source === null ? isVisible(each) && isExecutable(each) && isVisible(realpathSync(each)) : isExecutable(source)
    })
  }
}

/** Returns the host path of a file that a cell shows at another place; null: it is not in such a mount. */
function mountedFrom({ mounts }: Pick<CellSpec, 'mounts'>, file: string): string | null {
  const [mount] = mounts
    .filter(({ source, target = source }) => target !== source && contains(target, file))
    .toSorted((a, b) => (b.target ?? '').length - (a.target ?? '').length)
  return mount?.target === undefined ? null : path.join(mount.source, path.relative(mount.target, file))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
