/** How much of a tree is looked at, of a project and of a copy. */
export const treeBounds = { maxEntries: 2_000_000, maxDepth: 190 }

/** No list of what git is to ignore is larger; git reads one whole, and a sparse file of any size costs its writer nothing. */
export const mostIgnoreBytes = 1024 ** 2
