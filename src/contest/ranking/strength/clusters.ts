/** Groups of dependent comparisons, and the meaning of intervals over them. */
export interface Clusters {
  /**
   * With clusters by brief, intervals show how far other briefs would agree. With clusters by judge, they show only the judges' noise and
   * do not extend to other work.
   */
  readonly by: 'briefs' | 'judges'
  /** The names of the clusters, sorted. The number of a cluster is its index in this list. */
  readonly names: readonly string[]
  /** Returns the number of the cluster of a comparison or a block. */
  placeOf(row: { readonly brief: string; readonly judge: string }): number
}

/** Returns the clusters of comparisons or blocks: by brief or, if there is only one brief, by judge. */
export function clustersOf(rows: readonly { readonly brief: string; readonly judge: string }[]): Clusters {
  const briefs = new Set(rows.map(({ brief }) => brief))
  const by = briefs.size === 1 ? 'judges' : 'briefs'
  const names = [...(by === 'briefs' ? briefs : new Set(rows.map(({ judge }) => judge)))].sort()
  const places = new Map(names.map((name, place) => [name, place]))
  return { by, names, placeOf: ({ brief, judge }) => places.get(by === 'briefs' ? brief : judge) ?? -1 }
}
