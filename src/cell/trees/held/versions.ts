import type { GitObject, ObjectReader, TreeEntry } from './objects.ts'

/** A version of a file: its path in the work tree, its mode and its blob. */
export interface Version {
  readonly path: string
  readonly mode: number
  readonly id: string
}

const directoryMode = 0o40000
/** Maximum number of commits that are followed. */
const mostFollowed = 1000
const mostChanged = 10_000

/** Returns those of the versions that are in the tree of one of these commits. Commits whose objects are missing or altered count as empty. */
export async function versionsIn(
  objects: ObjectReader,
  commits: readonly string[],
  wanted: readonly Version[],
): Promise<ReadonlySet<Version>> {
  const byPath = new Map(wanted.map((each) => [each.path, each]))
  const above = new Set(wanted.flatMap(({ path }) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))))
  const found = new Set<Version>()
  const roots = [...(await objects.read(commits)).values()].flatMap((each) => (each.type === 'commit' ? [each.tree] : []))
  let level = new Map([...new Set(roots)].map((id) => [`${id} `, { id, prefix: '' }]))
  while (level.size > 0 && found.size < wanted.length) {
    const trees = await objects.read([...level.values()].map((each) => each.id))
    const next = new Map<string, { id: string; prefix: string }>()
    for (const { id, prefix } of level.values()) {
      const tree = trees.get(id)
      for (const entry of tree?.type === 'tree' ? tree.entries : []) {
        const path = prefix + entry.name
        const version = byPath.get(path)
        if (version !== undefined && version.mode === entry.mode && version.id === entry.id) found.add(version)
        if (entry.mode === directoryMode && above.has(path)) next.set(`${entry.id} ${path}/`, { id: entry.id, prefix: `${path}/` })
      }
    }
    level = next
  }
  return found
}

/** A file of which two commits have different versions. `before`: the blob in the first one; undefined if it has no such file. */
export interface ChangedFile {
  readonly path: string
  readonly before: string | undefined
}

/** Returns the files that differ between two commits, at most 10,000. Objects that are missing or altered count as empty. */
export async function changedFiles(objects: ObjectReader, first: string, second: string): Promise<readonly ChangedFile[]> {
  const found: ChangedFile[] = []
  const commits = await objects.read([first, second])
  const rootOf = (id: string): string | undefined => {
    const commit = commits.get(id)
    return commit?.type === 'commit' ? commit.tree : undefined
  }
  let level = [{ before: rootOf(first), after: rootOf(second), prefix: '' }]
  while (level.length > 0 && found.length < mostChanged) {
    const trees = await objects.read(level.flatMap(({ before, after }) => [before, after].filter((each) => each !== undefined)))
    const entriesOf = (id: string | undefined): ReadonlyMap<string, TreeEntry> => {
      const tree = id === undefined ? undefined : trees.get(id)
      return new Map(tree?.type === 'tree' ? tree.entries.map((each) => [each.name, each]) : [])
    }
    const next: typeof level = []
    for (const { before, after, prefix } of level) {
      const [old, now] = [entriesOf(before), entriesOf(after)]
      for (const name of new Set([...old.keys(), ...now.keys()])) {
        const [was, is] = [old.get(name), now.get(name)]
        if (was?.id === is?.id && was?.mode === is?.mode) continue
        const treeIn = (each: TreeEntry | undefined): string | undefined => (each?.mode === directoryMode ? each.id : undefined)
        if (treeIn(was) ?? treeIn(is)) next.push({ before: treeIn(was), after: treeIn(is), prefix: `${prefix}${name}/` })
        if ([was, is].some((each) => each !== undefined && each.mode !== directoryMode))
          found.push({ path: prefix + name, before: treeIn(was) === undefined ? was?.id : undefined })
      }
    }
    level = next
  }
  return found.slice(0, mostChanged)
}

/** Returns a commit if it is one of a set, or else its nearest ancestors that are. */
export async function nearestIn(objects: ObjectReader, commit: string, wanted: ReadonlySet<string>): Promise<readonly string[]> {
  const found = new Set<string>()
  const seen = new Set<string>()
  for (let queue = [commit]; queue.length > 0 && seen.size < mostFollowed; ) {
    for (const each of queue) if (wanted.has(each)) found.add(each)
    const toFollow = [...new Set(queue)].filter((each) => !wanted.has(each) && !seen.has(each))
    for (const each of toFollow) seen.add(each)
    const read: ReadonlyMap<string, GitObject> = await objects.read(toFollow)
    queue = [...read.values()].flatMap((each) => (each.type === 'commit' ? each.parents : []))
  }
  return [...found]
}
