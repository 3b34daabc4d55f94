import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import { hostProgram, isProgram, requireHostProgram } from '../../../system/host-program.ts'

/** The places on the host that decide which programs build cells. */
export interface BuilderPlaces {
  /**
   * The directory of the copies of bwrap and unshare that a package makes for Paddock. AppArmor finds a profile by the path of a program,
   * so the copies can have a profile that the system's own programs do not have (packaging/apparmor/paddock).
   */
  readonly copies: string
  /** The kernel setting that is 1 if AppArmor lets only programs with a profile create user namespaces. */
  readonly restriction: string
}

const places: BuilderPlaces = { copies: '/usr/lib/paddock', restriction: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns' }

/** Programs with which a cell is built, by absolute path. */
export interface CellBuilders {
  readonly bwrap: string
  readonly unshare: string
  /** True for Paddock's own copies. Only the copy of unshare can start the copy of bwrap with its profile. */
  readonly own: boolean
}

/** Returns true if AppArmor lets only programs with a profile create user namespaces. */
export function restrictedByAppArmor({ restriction }: BuilderPlaces = places): boolean {
  try {
    return readFileSync(restriction, 'utf8').trim() === '1'
  } catch {
    return false
  }
}

/** Returns the path of Paddock's own copy of a program. Null if there are no copies. */
export function ownCopy(name: 'bwrap' | 'unshare', { copies }: BuilderPlaces = places): string | null {
  const all = ['bwrap', 'unshare'].map((each) => path.join(copies, each))
  return all.every(isProgram) ? path.join(copies, name) : null
}

/** Returns bwrap or unshare like `hostProgram`, with preference for Paddock's own copy. */
export function cellBuilder(name: 'bwrap' | 'unshare', searchPath: string): string | null {
  return ownCopy(name) ?? hostProgram(name, searchPath)
}

/**
 * Returns the programs with which to build a cell. The profile of the copies denies further namespaces in the cell, so `nested` cells are
 * built by the system's programs.
 * @throws PaddockError `UNENFORCEABLE` if a program is missing, or if only the copies may build cells here and the cell is `nested`
 */
export function requireCellBuilders(searchPath: string, nested: boolean, where: BuilderPlaces = places): CellBuilders {
  const bwrap = ownCopy('bwrap', where)
  const unshare = ownCopy('unshare', where)
  if (bwrap === null || unshare === null || (nested && !restrictedByAppArmor(where)))
    return {
      bwrap: requireHostProgram('bwrap', searchPath, 'to build cells'),
      unshare: requireHostProgram('unshare', searchPath, 'for the cell’s network namespace'),
      own: false,
    }
  if (nested)
    throw new PaddockError('UNENFORCEABLE', '--nested-sandbox: AppArmor denies programs in cells a sandbox of their own on this machine.', {
      hint: 'Run without --nested-sandbox, or lift the restriction: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    })
  return { bwrap, unshare, own: true }
}
