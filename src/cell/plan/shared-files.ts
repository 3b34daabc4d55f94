import path from 'node:path'
import { listed, printableName } from '../../base/text.ts'
import { contains, type FsEntry, targetOf } from './filesystem.ts'

/** A name of a file that has several (hard links). */
export interface LinkedName {
  /** The device and the inode of the file. */
  readonly file: string
  /** The number of its names, wherever they are. */
  readonly names: number
  readonly bytes: number
  /** Absolute, one character for each byte. */
  readonly path: string
}

/** A file with names that a cell can write to, and others that it must not change. */
export interface SharedFile {
  /** Those that the cell can write to. Absolute, one character for each byte. */
  readonly paths: readonly string[]
  readonly bytes: number
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')
const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()

/** Returns the files that a cell with these entries could change under names outside of what it can write to. */
export function sharedFiles(linked: readonly LinkedName[], filesystem: readonly FsEntry[]): readonly SharedFile[] {
  if (linked.length === 0) return []
  const isWritable = writable(filesystem)
  const files = new Map<string, { readonly names: number; readonly bytes: number; readonly paths: string[] }>()
  for (const { file, names, bytes, path } of linked) {
    if (!isWritable(path)) continue
    const known = files.get(file) ?? { names, bytes, paths: [] }
    known.paths.push(path)
    files.set(file, known)
  }
  return [...files.values()].filter(({ names, paths }) => names > paths.length)
}

/** Returns a check whether a cell can write to a file of the host. */
function writable(filesystem: readonly FsEntry[]): (file: string) => boolean {
  const entries = filesystem.map((each) => ({
    target: bytesOf(targetOf(each)),
    source: each.kind === 'bind' && each.access === 'rw' ? bytesOf(each.source) : null,
  }))
  const names = new Set(entries.map(({ target }) => path.basename(target)))
  const ask = (file: string): boolean =>
    entries.some(({ source, target }) => {
      if (source === null || !contains(source, file)) return false
      const inCell = target + file.slice(source.length)
      const shown = entries.findLast((each) => contains(each.target, inCell))
      return shown?.source != null && shown.source + inCell.slice(shown.target.length) === file
    })
  const known = new Map<string, boolean>()
  return (file) => {
    // Only an entry with the name of the file treats it in another way than its directory.
    if (names.has(path.basename(file))) return ask(file)
    const directory = path.dirname(file)
    const answer = known.get(directory) ?? ask(file)
    known.set(directory, answer)
    return answer
  }
}

const mostPlaces = 3
/** Directories that are named instead of those in them. */
const packages = new Set(['node_modules', '.venv', 'venv', '.git'])

/** Returns a sentence about the copies of these files. `trees`: those of the plan. */
export function ownCopiesNotice(files: readonly SharedFile[], trees: readonly string[], tense: 'past' | 'future'): string {
  const isOne = files.length === 1
  const what = isOne ? '1 file' : `${files.length.toLocaleString('en')} files`
  const copy = `${tense === 'past' ? 'got' : 'will get'} ${isOne ? 'its' : 'their'} own copy`
  const why = isOne ? 'another directory shares it' : 'other directories share them'
  return `${what} ${copy}, because ${why} by hard links (${whereShared(files, trees)}); --deps rw leaves ${isOne ? 'it' : 'them'} shared`
}

/** Returns the places of these files as text. */
export function whereShared(files: readonly SharedFile[], trees: readonly string[]): string {
  const places = new Set(files.map(({ paths: [first = ''] }) => placeOf(textOf(first), trees)))
  return listed([...places].map(printableName), mostPlaces)
}

function placeOf(file: string, trees: readonly string[]): string {
  const [project = ''] = trees
  const isInProject = contains(project, file)
  const parts = (isInProject ? file.slice(project.length + 1) : file).split('/')
  const at = parts.findIndex((each) => packages.has(each))
  if (at >= 0) return parts.slice(0, at + 1).join('/')
  return isInProject ? (parts[0] ?? '') : path.dirname(file)
}
