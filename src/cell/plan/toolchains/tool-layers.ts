import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { isIn } from '../../../system/paths-to.ts'
import type { CellPlan } from '../plan-schema.ts'

/** A directory, or a single file, with programs and without secrets. */
export interface Toolchain {
  readonly source: string
  readonly target: string
  /** True if the user installs programs there, so that a cell may do so too, in a layer of its own. */
  readonly installs?: true
}

/** Where cells keep what they install in the user's toolchains. */
export interface ToolLayers {
  /** The directory that contains the layers of cells with the same rights, and nothing else. */
  readonly own: string
  /** The same of cells that had at least these rights. */
  readonly wider: readonly string[]
  /** The directory that contains all of these. */
  readonly all: string
}

/** Returns the directory in a layer that contains what cells changed. */
export const changesIn = (layer: string): string => path.join(layer, 'changes')

/** The name of the directory in a layer that overlayfs needs while a cell uses it: this and the id of the cell. */
export const workPrefix = 'work-'

/** Each layer is a mount, and its name is that of its toolchain. */
const mostInstalls = 24
const longestName = 80

/** Marks the directories of a home in which its user can install programs. `apart`: paths below the home of which the cell has only the original. */
export function withInstalls(toolchains: readonly Toolchain[], home: string, apart: readonly string[]): readonly Toolchain[] {
  let count = 0
  return toolchains.map((each) => {
    const isApart = apart.some((other) => isIn(path.join(home, other), each.target))
    const installs =
      isIn(home, each.target) && each.target.length <= longestName && !isApart && canWrite(each.source) && ++count <= mostInstalls
    return installs ? { ...each, installs: true } : each
  })
}

/** Returns the entry of a toolchain. `sizeBytes`: what a cell can install there if it does not keep its home. */
export function toolchainEntry(
  { source, target, installs }: Toolchain,
  layers: ToolLayers | undefined,
  sizeBytes: number,
): CellPlan['filesystem'][number] {
  if (installs !== true) return { kind: 'bind', source, target, access: 'ro', reason: 'toolchain' }
  if (layers === undefined) return { kind: 'toolchain', source, target, sizeBytes }
  const name = encodeURIComponent(target)
  const layer = { directory: layers.all, own: path.join(layers.own, name), wider: layers.wider.map((each) => path.join(each, name)) }
  return { kind: 'toolchain', source, target, layer }
}

function canWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return statSync(directory).isDirectory()
  } catch {
    return false
  }
}
