import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, lutimesSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differenceOf, manifestHash, manifestOf, readManifest, type TreeEntry } from '../../../src/cell/places/tree-manifest.ts'
import { temporary } from '../../support/temporary.ts'

const bounds = { maxEntries: 1_000, maxBytes: 10_000_000 }
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const file = (at: string, more: Partial<TreeEntry> = {}): TreeEntry => ({
  ...{ path: at, kind: 'file', mode: 0o644, mtime: 0, size: 0, hash: empty, target: '' },
  ...more,
})
const directory = (at: string): TreeEntry => file(at, { kind: 'directory', mode: 0o755, hash: '' })

describe('the manifest of a tree', () => {
  test('has kinds, modes, times, contents and targets, parents first, and names what does not travel', async () => {
    await using root = await temporary()
    mkdirSync(root.at('a/b'), { recursive: true })
    writeFileSync(root.at('a/b/run'), 'x\n')
    chmodSync(root.at('a/b/run'), 0o4755)
    linkSync(root.at('a/b/run'), root.at('a/again'))
    symlinkSync('../outside', root.at('a/link'))
    writeFileSync(Buffer.concat([Buffer.from(`${root.path}/a/`), Buffer.from([0xff, 0x0a, 0x22])]), '')
    execFileSync('mkfifo', [root.at('pipe')])
    const server = createServer().listen(root.at('socket'))
    utimesSync(root.at('a/b/run'), 1_000, 1_000)
    const { entries, left, hardLinked } = await manifestOf(root.path, bounds)
    server.close()
    expect(entries.map(({ path: at, kind, mode, target }) => [at, kind, mode.toString(8), target])).toEqual([
      ['a', 'directory', '755', ''],
      ['a/again', 'file', '755', ''],
      ['a/b', 'directory', '755', ''],
      ['a/b/run', 'file', '755', ''],
      ['a/link', 'symlink', '0', '../outside'],
      ['a/\u00ff\n"', 'file', '644', ''],
    ])
    expect(entries[3]).toMatchObject({
      mtime: 1_000_000,
      size: 2,
      hash: '73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac',
    })
    expect([left, hardLinked]).toEqual([['pipe', 'socket'], 2])
    expect(readManifest(JSON.parse(JSON.stringify(entries)), bounds)).toEqual(entries)
  })

  test('has the same hash for the same tree, and another one for each change', async () => {
    await using root = await temporary()
    const make = (at: string): void => {
      mkdirSync(path.join(at, 'd'), { recursive: true })
      writeFileSync(path.join(at, 'd/f'), 'one')
      symlinkSync('f', path.join(at, 'd/l'))
      lutimesSync(path.join(at, 'd/l'), 5, 5)
      for (const each of ['d/f', 'd']) utimesSync(path.join(at, each), 5, 5)
    }
    make(root.at('one'))
    make(root.at('two'))
    const hashOf = async (name: string): Promise<string> => manifestHash(await manifestOf(root.at(name), bounds))
    const first = await hashOf('one')
    expect(await hashOf('two')).toBe(first)
    const changes: (() => void)[] = [
      () => chmodSync(root.at('two/d/f'), 0o600),
      () => utimesSync(root.at('two/d/f'), 6, 6),
      () => renameSync(root.at('two/d/l'), root.at('two/d/m')),
      () => rmSync(root.at('two/d/f')),
    ]
    const seen = new Set([first])
    for (const change of changes) {
      change()
      seen.add(await hashOf('two'))
    }
    expect(seen.size).toBe(changes.length + 1)
  })

  test('is refused if the tree is too large', async () => {
    await using root = await temporary()
    for (const each of ['a', 'b', 'c']) writeFileSync(root.at(each), Buffer.alloc(100))
    await expect(manifestOf(root.path, { ...bounds, maxEntries: 2 })).rejects.toThrow('has more than 2 files')
    await expect(manifestOf(root.path, { ...bounds, maxBytes: 250 })).rejects.toThrow('is too large')
  })
})

describe('a manifest of another machine', () => {
  test.each<[string, unknown]>([
    ['no list', { length: 1 }],
    ['a path above the root', [file('../x')]],
    ['a path above the root in the middle', [directory('a'), file('a/../../x')]],
    ['an absolute path', [file('/etc/passwd')]],
    ['an empty name', [directory('a'), file('a//x')]],
    ['the directory itself', [file('.')]],
    ['no path', [file('')]],
    ['a zero byte', [file('a\0b')]],
    ['a character that is not a byte', [file('a\u0100')]],
    ['a file in a file', [file('a'), file('a/b')]],
    ['a file behind a link', [file('a', { kind: 'symlink', mode: 0, hash: '', target: '/etc' }), file('a/passwd')]],
    ['a file without its parent', [file('a/b')]],
    ['a path twice', [file('a'), file('a')]],
    ['paths in another order', [file('b'), file('a')]],
    ['a set-user-ID bit', [file('a', { mode: 0o4755 })]],
    ['a negative size', [file('a', { size: -1 })]],
    ['a hash that is a path', [file('a', { hash: `../../${'0'.repeat(58)}` })]],
    ['a device', [{ ...file('a'), kind: 'device' }]],
    ['an unknown key', [{ ...file('a'), more: 1 }]],
    ['a name that is too long', [file('x'.repeat(256))]],
    ['more bytes than may come', [file('a', { size: bounds.maxBytes }), file('b', { size: 1 })]],
    ['more entries than may come', Array.from({ length: 1_001 }, (_, index) => file(`f${String(index).padStart(5, '0')}`))],
    ['nothing', [null]],
  ])('with %s is refused', (_, value) => {
    expect(() => readManifest(value, bounds)).toThrow(/^(?:has|is) /)
  })

  test('never has a path that leads out, whatever is in it', () => {
    const name = fc.oneof(fc.constantFrom('.', '..', '', 'a', '/', 'a/b', '\n'), fc.string({ maxLength: 5 }))
    const paths = fc.array(name, { minLength: 1, maxLength: 4 }).map((each) => each.join('/'))
    fc.assert(
      fc.property(fc.array(paths, { maxLength: 5 }), (all) => {
        let entries: readonly TreeEntry[] = []
        try {
          entries = readManifest([directory('a'), ...all.map((each) => file(each))], bounds)
        } catch {}
        for (const each of entries) expect(path.join('/root/tree', each.path).startsWith('/root/tree/')).toBe(true)
      }),
    )
  })
})

test('the difference of two manifests is what a writer has to do, and times of directories are none', () => {
  const before = [directory('a'), file('a/x'), file('a/y'), file('b'), directory('c'), file('c/z')]
  const after = [{ ...directory('a'), mtime: 9 }, file('a/x', { mtime: 1 }), directory('b'), file('b/new')]
  expect(differenceOf(before, after)).toEqual({
    changed: [file('a/x', { mtime: 1 }), directory('b'), file('b/new')],
    gone: ['c/z', 'c', 'b', 'a/y'],
  })
  expect(differenceOf(before, before)).toEqual({ changed: [], gone: [] })
})
