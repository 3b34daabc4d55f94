import { lstatSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import type { HomePart } from '../../plan/home-data.ts'
import { covers, idOfRights, noRights, type Rights } from '../../plan/rights.ts'
import { actingEntries } from './acting-entries.ts'
import { type HomeRecord, readHomeRecord, type Version, writeHomeRecord } from './home-record.ts'
import { copyEntry, discardEntry, moveEntry } from './move-entry.ts'
import { type EntryChange, type Present, planExchange } from './plan-exchange.ts'

/** What was set aside in a private home for a cell. */
export interface HomeAside {
  /** Paths relative to the home, sorted. */
  readonly entries: readonly string[]
  /** The directory that contains them now, below the ids of the rights of their writers. */
  readonly directory: string
}

/** The writer of an entry, if that writer is not known. */
const nobody = 'nobody'

/** Returns the directory beside a private home with the versions of its entries that are not in it. No cell sees it. */
export function homeStore(home: string): string {
  return path.join(path.dirname(home), `.${path.basename(home)}.rights`)
}

/**
 * Prepares a private home for a cell with these rights. Of everything that acts in the home, the cell gets the newest version that was
 * written by a cell with at least its rights, and nothing else. Versions of other writers are kept beside the home, and come back for cells
 * in which they may act. `keeps`: the user wants this cell to have the present versions.
 * The caller must hold the lock of the home, and no cell with other rights may run in it.
 */
export async function settleHome(
  where: string,
  rights: Rights,
  partOf: (relative: string) => HomePart,
  keeps: boolean,
): Promise<HomeAside> {
  const home = realpathSync(where)
  const store = homeStore(home)
  mkdirSync(store, { recursive: true, mode: 0o700 })
  const record = readHomeRecord(store)
  const id = idOfRights(rights)
  // Everything that acts here was chosen for these rights at the last change, or was written with them since.
  if (record.last === id) return { entries: [], directory: store }
  const sets: Record<string, Rights> = { ...record.sets, [nobody]: noRights, [id]: rights }
  const mayAct = ({ by }: Version): boolean => covers(sets[by] ?? noRights, rights)
  let { next } = record
  const kept = keptIn(store, record)
  const here = new Map<string, Present>()
  const found = actingEntries(home, partOf)
  for (const entry of new Set([...found.keys(), ...Object.keys(record.here)])) {
    const mark = found.get(entry) ?? null
    const known = record.here[entry]
    // An interrupted start had moved it.
    if (record.last === null && mark === null && known !== undefined && kept.get(known.by)?.get(entry)?.at === known.at) continue
    // Whatever changed was written by the last cells, which all had the same rights.
    const version = known !== undefined && known.mark === mark ? known : { by: record.last ?? nobody, at: next++, mark }
    here.set(entry, keeps && !mayAct(version) ? { by: id, at: next++, mark } : version)
  }
  const changes = planExchange({ id, here, kept, mayAct })
  for (const { entry, keep } of changes) {
    const { by, at, mark } = keep ?? {}
    if (by !== undefined && at !== undefined) keptBy(kept, by).set(entry, { at, absent: mark === null })
  }
  const write = (last: string | null): Promise<void> =>
    writeHomeRecord(store, {
      schemaVersion: 1,
      next,
      last,
      sets,
      here: Object.fromEntries(here),
      kept: Object.fromEntries([...kept].map(([by, each]) => [by, Object.fromEntries(each)])),
    })
  // If this process is killed meanwhile, other changes in the home count as nobody's.
  if (changes.length > 0) await write(null)
  const trash = mkdtempSync(path.join(store, 'trash-'))
  exchange(changes, { home, store, trash }, here)
  const now = actingEntries(home, partOf)
  for (const [entry, version] of here) here.set(entry, { ...version, mark: now.get(entry) ?? null })
  const left = [...now.keys()].find((entry) => !here.has(entry) || !mayAct(here.get(entry) ?? { by: nobody, at: 0 }))
  if (left !== undefined)
    throw new PaddockError('CELL_FAILED', `${shownEntry(left)} in the private home could not be set aside.`, {
      hint: `Remove ${path.join(home, shownEntry(left))}`,
    })
  const own = keptBy(kept, id)
  const installed = changes.flatMap(({ entry, install }) => (install?.by === id && here.get(entry)?.by === id ? [entry] : []))
  for (const each of installed) own.delete(each)
  await write(id)
  for (const entry of installed) discardEntry({ root: store, entry: `${id}/${entry}` }, trash)
  await removeTree(trash)
  return { entries: changes.flatMap(({ entry, isAside }) => (isAside ? [shownEntry(entry)] : [])), directory: store }
}

/** Returns a path for display. */
function shownEntry(entry: string): string {
  return Buffer.from(entry, 'latin1').toString('utf8')
}

type KeptEntries = Map<string, Map<string, { readonly at: number; readonly absent: boolean }>>

function keptBy(kept: KeptEntries, by: string) {
  const entries = kept.get(by) ?? new Map<string, { readonly at: number; readonly absent: boolean }>()
  kept.set(by, entries)
  return entries
}

/** Returns the kept versions. After an interrupted start, some that are recorded may still be in the home. */
function keptIn(store: string, record: HomeRecord): KeptEntries {
  const isThere = (by: string, entry: string): boolean =>
    lstatSync(Buffer.concat([Buffer.from(`${store}/${by}/`), Buffer.from(entry, 'latin1')]), { throwIfNoEntry: false }) !== undefined
  return new Map(
    Object.entries(record.kept).map(([by, entries]) => [
      by,
      new Map(Object.entries(entries).filter(([entry, { absent }]) => absent || record.last !== null || isThere(by, entry))),
    ]),
  )
}

interface Places {
  readonly home: string
  readonly store: string
  /** A directory for entries that newer ones replace. */
  readonly trash: string
}

/** Carries out planned changes, and records in `here` what is in the home then. */
function exchange(changes: readonly EntryChange[], { home, store, trash }: Places, here: Map<string, Present>): void {
  for (const { entry, keep } of changes) {
    if (keep === undefined) continue
    const [from, to] = [
      { root: home, entry },
      { root: store, entry: `${keep.by}/${entry}`, clears: true },
    ] as const
    // What cannot be copied does not stay.
    const isCopied = keep.how === 'copy' && (keep.mark === null || copied(from, to, trash))
    if (isCopied) continue
    if (keep.mark !== null) moveEntry(from, to, trash)
    here.delete(entry)
  }
  for (const { entry, install } of changes) {
    if (install === undefined) continue
    const { by, at, absent } = install
    if (absent || copied({ root: store, entry: `${by}/${entry}` }, { root: home, entry }, trash)) here.set(entry, { by, at, mark: null })
  }
}

function copied(...[from, to, trash]: Parameters<typeof copyEntry>): boolean {
  try {
    return copyEntry(from, to, trash)
  } catch {
    return false
  }
}
