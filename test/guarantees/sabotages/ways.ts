import path from 'node:path'
import type * as Arguments from '../../../src/cell/backends/bubblewrap/bubblewrap-arguments.ts'
import type * as Compile from '../../../src/cell/backends/seccomp/compile.ts'
import type * as Filesystem from '../../../src/cell/plan/filesystem.ts'
import type { FsEntry } from '../../../src/cell/plan/filesystem.ts'
import type { MachineFacts } from '../../../src/cell/plan/machine-facts.ts'
import type { CellSpec } from '../../../src/cell/plan/spec.ts'
import { replace } from './sabotage.ts'

type Change = (entries: readonly FsEntry[], spec: CellSpec, machine: MachineFacts) => readonly FsEntry[]

/** Changes the planned view of the file system. */
export const withFilesystem = (change: Change): void =>
  replace<typeof Filesystem>('cell/plan/filesystem.ts', ({ planFilesystem }) => ({
    planFilesystem: (spec, machine, ...rest) => change(planFilesystem(spec, machine, ...rest), spec, machine),
  }))

/** Changes the options for bwrap(1). */
export const withArguments = (change: (args: readonly string[]) => readonly string[]): void =>
  replace<typeof Arguments>('cell/backends/bubblewrap/bubblewrap-arguments.ts', ({ bubblewrapArguments }) => ({
    bubblewrapArguments: (...given) => change(bubblewrapArguments(...given)),
  }))

export const withoutArguments = (...without: readonly string[]): void =>
  withArguments((args) => args.filter((each) => !without.includes(each)))

/** A filter of one instruction: allow. */
const everything = Uint8Array.from([0x06, 0, 0, 0, 0, 0, 0xff, 0x7f])
export const withoutFilter = (): void =>
  replace<typeof Compile>('cell/backends/seccomp/compile.ts', () => ({ machineFilter: () => everything }))

/** Inserts an entry before the project into the view. */
const before = (entry: (spec: CellSpec, machine: MachineFacts) => FsEntry): void =>
  withFilesystem((entries, spec, machine) => {
    const at = entries.findIndex((each) => each.kind === 'bind' && each.reason === 'project')
    return [...entries.slice(0, at), entry(spec, machine), ...entries.slice(at)]
  })

const shown = (directory: string): FsEntry => ({ kind: 'bind', source: directory, target: directory, access: 'ro', reason: 'user' })

/** The directory around the project is in the cell. */
export const withSurroundings = (): void => before((spec) => shown(path.dirname(spec.project ?? '/')))

/** Paddock's own state is in the cell. */
export const withOwnState = (): void => before((_, machine) => shown(machine.ownDirectories[1] ?? '/'))
