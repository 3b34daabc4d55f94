/** Groups of dependent comparisons, and what they mean for intervals. */
export interface Clusters {
  /**
   * By briefs, intervals show how far other briefs would agree. By judges, they show only the judges' noise and say nothing about other
   * work.
   */
  readonly by: 'briefs' | 'judges'
  /** The names of the clusters, sorted; the number of a cluster is its place in this list. */
  readonly names: readonly string[]
  /** Returns the number of the cluster of a comparison or a block. */
  placeOf(row: { readonly brief: string; readonly judge: string }): number
}

/** Returns the clusters of comparisons or blocks: briefs or, if there is one brief, judges. */
export function clustersOf(rows: readonly { readonly brief: string; readonly judge: string }[]): Clusters {
  const briefs = new Set(rows.map(({ brief }) => brief))
  const by = briefs.size === 1 ? 'judges' : 'briefs'
  const names = [...(by === 'briefs' ? briefs : new Set(rows.map(({ judge }) => judge)))].sort()
  const places = new Map(names.map((name, place) => [name, place]))
  return { by, names, placeOf: ({ brief, judge }) => places.get(by === 'briefs' ? brief : judge) ?? -1 }
}
