import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import fc from 'fast-check'

/** Reads an entry that its mode may close to its owner, who is not always root. */
function opened<T>(entry: Buffer, read: () => T): T {
  const { mode } = lstatSync(entry)
  if (process.getuid?.() === 0 || (mode & 0o500) === 0o500) return read()
  chmodSync(entry, 0o700)
  try {
    return read()
  } finally {
    chmodSync(entry, mode & 0o7777)
  }
}

/** Returns all facts about the entries below a directory, by the bytes of their names. */
export function facts(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  const inodes = new Map<number, string>()
  const visit = (directory: Buffer, name: string): void => {
    for (const each of readdirSync(directory, { encoding: 'buffer' }).sort(Buffer.compare)) {
      const at = Buffer.concat([directory, Buffer.from('/'), each])
      const named = `${name}/${each.toString('latin1')}`
      const { mode, ino, nlink, size, mtimeMs, ...stat } = lstatSync(at)
      const twin = nlink > 1 ? inodes.get(ino) : undefined
      inodes.set(ino, named)
      const type = mode & 0o170000
      const isDirectory = type === 0o040000
      const content = type === 0o100000 ? opened(at, () => readFileSync(at, 'latin1')) : type === 0o120000 ? readlinkSync(at) : ''
      found[named] = [mode.toString(8), stat.uid, isDirectory ? '' : size, mtimeMs, twin ?? '', content].join(' ')
      if (isDirectory) opened(at, () => visit(at, named))
    }
  }
  visit(Buffer.from(root), '')
  return found
}

const oddName = fc
  .oneof(
    fc.constantFrom(
      'host',
      'jobs',
      'agents',
      '*',
      '?',
      '[a]',
      '-x',
      '--help',
      ' ',
      '\n',
      '"',
      "'",
      '\\',
      '\\n',
      '...',
      '~',
      'a:b',
      '.envrc',
    ),
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.constant('x'.repeat(255)),
  )
  .map((name) => name.replace(/[/\0]/g, '_'))
  .filter((name) => name !== '.' && name !== '..')
/** An entry of a tree with names, modes, times and kinds that are hard to archive. */
export const oddEntry = fc.record({
  names: fc.array(oddName, { minLength: 1, maxLength: 4 }),
  kind: fc.constantFrom('file', 'directory', 'symlink', 'hard link', 'fifo'),
  mode: fc.oneof(fc.constantFrom(0o000, 0o200, 0o644, 0o4755, 0o2700), fc.integer({ min: 0, max: 0o7777 })),
  text: fc.string({ maxLength: 20 }),
  at: fc.integer({ min: 0, max: 4_000_000_000 }),
})
export type OddEntry = typeof oddEntry extends fc.Arbitrary<infer T> ? T : never

/**
 * Makes entries, links last, so that nothing is made through a link. One whose place is taken or that has no parent is left out. `own` is
 * called before entries get their modes, because a change of the owner clears some.
 */
export function makeTree(root: string, entries: readonly OddEntry[], own: () => void = () => undefined): void {
  const modes: (readonly [Buffer, number])[] = []
  let first: Buffer | null = null
  const links = entries.filter(({ kind }) => kind === 'symlink')
  for (const { names, kind, mode, text, at } of [...entries.filter(({ kind }) => kind !== 'symlink'), ...links]) {
    const file = Buffer.concat([Buffer.from(root), ...names.flatMap((each) => [Buffer.from('/'), Buffer.from(each, 'latin1')])])
    const parent = file.subarray(0, file.lastIndexOf('/'))
    try {
      if (kind !== 'symlink') mkdirSync(parent, { recursive: true })
      else if (!realpathSync(parent, 'buffer').equals(parent)) continue
      if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) continue
      if (kind === 'directory') mkdirSync(file)
      else if (kind === 'symlink') symlinkSync(text.replaceAll('\0', '_') || '..', file)
      else if (kind === 'hard link' && first !== null) linkSync(first, file)
      else if (kind === 'fifo' && /^[ -~]*$/.test(file.toString('latin1'))) execFileSync('mkfifo', ['--', file.toString()])
      else {
        writeFileSync(file, text, { flag: 'wx' })
        utimesSync(file, at / 1000, at / 1000)
        first = file
      }
      if (kind !== 'symlink') modes.push([file, mode])
    } catch (error) {
      if (!['EEXIST', 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  own()
  // A directory can be closed to its owner, so what it contains comes first.
  for (const [file, mode] of modes.toSorted(([one], [other]) => other.length - one.length)) chmodSync(file, mode)
}
