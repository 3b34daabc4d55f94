import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFresh, readIndex, withoutSkipBits, withStats } from '../../src/git/index-file.ts'

const name = fc.stringMatching(/^[a-z0-9 ä.-]{1,12}$/).filter((each) => !/^\.+$|^\.git/i.test(each) && each.trim() === each)
const files = fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 12,
  selector: (each) => each[0] ?? '',
})

function makeIndex(
  format: 'sha1' | 'sha256',
  version: number,
  paths: readonly string[],
  skipped: readonly string[],
): { directory: string } & Disposable {
  const directory = mkdtempSync(path.join(tmpdir(), 'paddock-index-'))
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  git('init', '-q', `--object-format=${format}`)
  for (const each of paths) {
    mkdirSync(path.dirname(path.join(directory, each)), { recursive: true })
    writeFileSync(path.join(directory, each), each, { mode: each.length % 2 === 0 ? 0o755 : 0o644 })
  }
  git('add', '-A')
  for (const each of skipped) git('update-index', '--skip-worktree', '--', each)
  git('update-index', '--index-version', String(version))
  return { directory, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) }
}

function listed(directory: string): string {
  return execFileSync('git', ['-C', directory, 'ls-files', '-s', '-v', '-z'], { encoding: 'utf8' })
}

const asListed = (directory: string, idBytes: 20 | 32): string | undefined =>
  readIndex(readFileSync(path.join(directory, '.git/index')), idBytes)
    ?.map((each) => `${each.skipsWorkTree ? 'S' : 'H'} ${each.mode.toString(8)} ${each.id} ${each.stage}\t${each.path}\0`)
    .join('')

test.each([
  ['sha1', 2],
  ['sha1', 3],
  ['sha1', 4],
  ['sha256', 2],
  ['sha256', 4],
] as const)('an index of %s in version %d is read as git reads it, and bits are cleared', (format, version) => {
  const idBytes = format === 'sha1' ? 20 : 32
  fc.assert(
    fc.property(files, fc.nat(), (all, pick) => {
      const paths = all.map((each) => each.join('/'))
      const skipped = paths.filter((_, at) => ((pick >> at) & 1) === 1)
      using place = makeIndex(format, version, paths, skipped)
      const index = path.join(place.directory, '.git/index')
      expect(asListed(place.directory, idBytes)).toBe(listed(place.directory))
      const cleared = withoutSkipBits(readFileSync(index), idBytes, (each) => each.path !== skipped[0])
      writeFileSync(index, cleared ?? '')
      expect(asListed(place.directory, idBytes)).toBe(listed(place.directory))
      expect(listed(place.directory).match(/(?<=^|\0)S /g)?.length ?? 0).toBe(Math.min(1, skipped.length))
      execFileSync('git', ['-C', place.directory, 'fsck', '--no-progress'], { stdio: 'ignore' })
    }),
    { numRuns: 8 },
  )
})

test('the state of a file is noted as git notes it', () => {
  using place = makeIndex('sha1', 4, ['a', 'b/c'], [])
  const file = path.join(place.directory, 'a')
  utimesSync(file, 1_600_000_000, 1_600_000_000)
  const index = path.join(place.directory, '.git/index')
  const isKnown = (): readonly boolean[] | undefined =>
    readIndex(readFileSync(index), 20)?.map((each) => isFresh(each, lstatSync(path.join(place.directory, each.path), { bigint: true })))
  expect(isKnown()).toEqual([false, true])
  const noted = withStats(readFileSync(index), 20, ({ path: name }) => (name === 'a' ? lstatSync(file, { bigint: true }) : undefined))
  execFileSync('git', ['-C', place.directory, 'update-index', '--refresh'])
  expect(isKnown()).toEqual([true, true])
  const ofGit = readFileSync(index)
  // Without the checksum.
  expect(noted?.subarray(0, ofGit.length - 20)).toEqual(ofGit.subarray(0, -20))
  writeFileSync(index, noted ?? '')
  execFileSync('git', ['-C', place.directory, 'diff-files', '--quiet'])
})

test('a split index is not read', () => {
  using place = makeIndex('sha1', 2, ['a', 'b'], [])
  execFileSync('git', ['-C', place.directory, 'update-index', '--split-index'])
  expect(readIndex(readFileSync(path.join(place.directory, '.git/index')), 20)).toBeNull()
})

test('any bytes are an index or not one, and nothing is read outside of them', () => {
  using place = makeIndex('sha1', 4, ['a/b/c', 'a/b/d', 'e'], ['e'])
  const bytes = readFileSync(path.join(place.directory, '.git/index'))
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 6 }), fc.nat(bytes.length), (changes, length) => {
      const changed = Buffer.from(bytes)
      for (const [at, value] of changes) changed[at] = value
      const found = readIndex(changed.subarray(0, length), 20)
      expect(found === null || found.every((each) => each.id.length === 40)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
