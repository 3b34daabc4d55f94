import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { AuditSink } from '../../audit/event.ts'
import { PaddockError } from '../../base/errors.ts'
import { listed, printableName } from '../../base/text.ts'
import { withCredentials } from '../../egress/placeholder/with-credentials.ts'
import { takeLock } from '../../files/lock.ts'
import type { CellIo } from '../cell.ts'
import { homeParts } from '../plan/home-data.ts'
import { idOfRights, type Rights, rightsOf } from '../plan/rights.ts'
import type { CellSpec } from '../plan/spec.ts'
import { type HomeAside, homeStore, settleHome } from '../trees/homes/settle-home.ts'
import { toolLayersOf } from '../trees/homes/tool-changes.ts'
import type { CellRecord, CellRegistry } from './cell-registry.ts'

export interface HomeMeans {
  readonly registry: CellRegistry
  /** The id of the cell. */
  readonly id: string
  readonly homeData: readonly string[] | undefined
  readonly audit: AuditSink
  readonly remember: (more: Pick<CellRecord, 'home'>) => void
  readonly onWait: CellIo['onWait']
  readonly signal: AbortSignal | undefined
}

/** How long to wait for another process that prepares the same home, in milliseconds. */
const patienceMs = 60_000
/** The interval in which a waiting cell looks again, in milliseconds. */
const againMs = 500
const busy = 'A cell with other rights is running in the same private home.'
const instead = 'a cell with other rights is running in the private home, so this one has a temporary home, which is deleted at its end'

/** Returns true if a cell can start with a temporary home instead of its private one: nobody waits for that, or needs what is in it. */
export function canDoWithout({ home }: CellSpec, { onWait }: Pick<CellIo, 'onWait'>): boolean {
  return home.kind === 'persistent' && home.others === undefined && home.isNeeded !== true && onWait === undefined
}

/** Returns true if a cell with other rights has the private home of a cell with these wishes. */
export function isHomeTaken(spec: CellSpec, registry: CellRegistry): boolean {
  if (spec.home.kind !== 'persistent' || !existsSync(spec.home.path)) return false
  const home = realpathSync(spec.home.path)
  const rights = idOfRights(plannedRights(spec))
  return registry.all().some((each) => each.home?.path === home && each.home.rights !== rights)
}

/** Returns the wishes with the place of what the cell installs in toolchains, if it keeps its home. */
export function withToolLayers(spec: CellSpec): CellSpec {
  const { home } = spec
  if (home.kind !== 'persistent' || home.others === 'own') return spec
  return { ...spec, toolLayers: toolLayersOf(homeAt(home.path), plannedRights(spec), home.others === 'keep') }
}

const homeAt = (home: string): string => (existsSync(home) ? realpathSync(home) : home)

/** Returns the rights of a cell before it is planned. */
function plannedRights(spec: CellSpec): Rights {
  return rightsOf({ ...spec, egress: withCredentials(spec.egress, spec.credentials ?? []) })
}

/** Returns the wishes with a temporary home, and the sentence about it. */
export function withoutHome(spec: CellSpec): { readonly spec: CellSpec; readonly notices: readonly string[] } {
  return { spec: { ...spec, home: { kind: 'temporary' } }, notices: [instead] }
}

/** Returns true for the error of a cell whose home was taken after `isHomeTaken`. */
export function isHomeBusy(error: unknown): boolean {
  return error instanceof PaddockError && error.code === 'BUSY' && error.message === busy
}

/**
 * Prepares the private home of a cell, unless it is only for this cell, and records who has it. Returns notes, one sentence each. While a
 * cell with other rights runs in the home, waits if there is an `onWait`.
 * @throws PaddockError BUSY if a cell with other rights runs in the home.
 */
export async function takeHome(spec: CellSpec, means: HomeMeans): Promise<readonly string[]> {
  if (spec.home.kind !== 'persistent' || spec.home.others === 'own') return []
  const { onWait, signal, audit, id } = means
  const home = realpathSync(spec.home.path)
  let aside = await tryTake(home, spec, means)
  if (aside === null && onWait === undefined)
    throw new PaddockError('BUSY', busy, { hint: 'Wait for it, use the same options, or add --ephemeral' })
  if (aside === null) {
    onWait?.(true, busy)
    try {
      while (aside === null) {
        await setTimeout(againMs, undefined, { signal })
        aside = await tryTake(home, spec, means)
      }
    } finally {
      onWait?.(false, busy)
    }
  }
  const { entries, directory } = aside
  if (entries.length === 0) return []
  audit({ kind: 'cell.home', cell: id, data: { entries: entries.slice(0, 100), count: entries.length, directory } })
  const named = entries.map((each) => `~/${printableName(each)}`)
  return [`set aside in the private home, because runs with other rights wrote it: ${listed(named, 3)} (kept in ${directory})`]
}

/** Null if a cell with other rights runs in the home. */
async function tryTake(home: string, spec: CellSpec, { registry, homeData, remember }: HomeMeans): Promise<HomeAside | null> {
  const rights = rightsOf(spec)
  const own = { path: home, rights: idOfRights(rights) }
  mkdirSync(homeStore(home), { recursive: true, mode: 0o700 })
  const file = path.join(homeStore(home), 'lock')
  using _lock = await takeLock({ file, what: `The private home ${home}`, command: spec.name, patienceMs })
  if (registry.all().some((each) => each.home?.path === home && each.home.rights !== own.rights)) return null
  const keeps = spec.home.kind === 'persistent' && spec.home.others === 'keep'
  const aside = await settleHome(home, rights, homeParts(homeData), keeps)
  remember({ home: own })
  return aside
}
