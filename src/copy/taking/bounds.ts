/** Limits for walking through a tree, of a project or of a copy. */
export const treeBounds = { maxEntries: 2_000_000, maxDepth: 190 }

/** Maximum size of an ignore file. Git reads one whole, and a sparse file of any size costs its writer nothing. */
export const mostIgnoreBytes = 1024 ** 2
