import type { Version } from './home-record.ts'

/** A version in the home. The mark of an entry that a cell removed is null. */
export type Present = Version & { readonly mark: string | null }
/** The versions of entries beside a home, by the id of their writer's rights and by path. */
export type Kept = ReadonlyMap<string, ReadonlyMap<string, { readonly at: number; readonly absent: boolean }>>

/** What to do with one entry of a home. */
export interface EntryChange {
  readonly entry: string
  /** The version in the home that is kept beside it; absent: none. `move`: it does not stay in the home. */
  readonly keep?: Present & { readonly how: 'move' | 'copy' }
  /** The kept version that gets into the home; absent: none. */
  readonly install?: Version & { readonly absent: boolean }
  /** True: a version that may not act was in the home. */
  readonly isAside: boolean
}

export interface Exchange {
  /** The id of the cell's rights. */
  readonly id: string
  readonly here: ReadonlyMap<string, Present>
  readonly kept: Kept
  /** Returns true if the writer of a version had at least the rights of the cell. */
  readonly mayAct: (version: Version) => boolean
}

/** Returns the changes after which a home contains the newest version of each entry that may act, and no other. Pure. */
export function planExchange({ id, here, kept, mayAct }: Exchange): readonly EntryChange[] {
  const entries = new Set([...here.keys(), ...[...kept.values()].flatMap((each) => [...each.keys()])])
  return [...entries].sort().flatMap((entry): EntryChange[] => {
    const current = here.get(entry)
    const beside = [...kept].flatMap(([by, each]) => {
      const version = each.get(entry)
      // The version in the home is a newer one of the same writer.
      return version === undefined || current?.by === by ? [] : [{ by, ...version }]
    })
    const newest = [...beside, ...(current === undefined ? [] : [current])]
      .filter(mayAct)
      .reduce<Version | null>((one, each) => (one === null || each.at > one.at ? each : one), null)
    const stays = current !== undefined && newest === current
    const isKept = current !== undefined && kept.get(current.by)?.get(entry)?.at === current.at
    const install = beside.find((each) => each.by === newest?.by && each.at === newest.at)
    const isAside = !stays && current !== undefined && current.mark !== null && !mayAct(current)
    // The cell may change what stays. A version of another writer is copied before.
    const needsKeeping = current !== undefined && (stays ? current.by !== id && !isKept : true)
    if (!needsKeeping && install === undefined) return []
    return [
      {
        entry,
        isAside,
        ...(needsKeeping ? { keep: { ...current, how: stays ? 'copy' : 'move' } } : {}),
        ...(stays || install === undefined ? {} : { install }),
      },
    ]
  })
}
