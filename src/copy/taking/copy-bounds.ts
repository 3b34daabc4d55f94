/** Limits for walking through the tree of a project or a copy. */
export const treeBounds = { maxEntries: 2_000_000, maxDepth: 190 }
/** The same for a project, which another cell may replace with a link at any time. */
export const projectBounds = { ...treeBounds, isUnlinked: true } as const

/** The maximum size of an ignore file. Git reads such a file whole, and a sparse file of any size costs its writer nothing. */
export const mostIgnoreBytes = 1024 ** 2
