import { hash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { differenceOf, manifestOf, type TreeEntry } from '../../../src/cell/places/tree-manifest.ts'
import { type ReadBlob, writeTree } from '../../../src/cell/places/write-tree.ts'
import { temporary } from '../../support/temporary.ts'

const bounds = { maxEntries: 1_000, maxBytes: 10_000_000 }

/** Returns the contents of a tree's files by their hash. */
function blobsOf(root: string): ReadBlob {
  const found = new Map<string, Buffer>()
  // Names that are not UTF-8 come back as others.
  for (const each of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (each.isFile() && existsSync(path.join(each.parentPath, each.name))) {
      const bytes = readFileSync(path.join(each.parentPath, each.name))
      found.set(hash('sha256', bytes), bytes)
    }
  return async (name) => Readable.from([found.get(name) ?? Buffer.alloc(0)])
}
const none: ReadBlob = async () => Readable.from([])
const entry = (at: string, content: string, more: Partial<TreeEntry> = {}): TreeEntry => ({
  ...{ path: at, kind: 'file', mode: 0o644, mtime: 1_000, size: content.length, hash: hash('sha256', content), target: '' },
  ...more,
})

test('what a tree became is written into its copy: contents, modes, times, links, kinds that changed, and what is gone', async () => {
  await using root = await temporary()
  const [from, to] = [root.at('from'), root.at('to')]
  for (const each of [from, to]) {
    mkdirSync(path.join(each, 'kept/deep'), { recursive: true })
    mkdirSync(path.join(each, 'gone/deep'), { recursive: true })
    writeFileSync(path.join(each, 'kept/same'), 'same')
    writeFileSync(path.join(each, 'gone/deep/file'), 'gone')
    writeFileSync(path.join(each, 'becomes-directory'), 'x')
    mkdirSync(path.join(each, 'becomes-file'))
    symlinkSync('kept', path.join(each, 'link'))
  }
  const before = await manifestOf(to, bounds)
  rmSync(path.join(from, 'gone'), { recursive: true })
  rmSync(path.join(from, 'becomes-directory'))
  mkdirSync(path.join(from, 'becomes-directory/inside'), { recursive: true })
  rmSync(path.join(from, 'becomes-file'), { recursive: true })
  writeFileSync(path.join(from, 'becomes-file'), Buffer.alloc(300_000, 'y'))
  writeFileSync(Buffer.from(`${from}/kept/deep/\xff\n`, 'latin1'), 'odd')
  rmSync(path.join(from, 'link'))
  symlinkSync('/outside/of/it', path.join(from, 'link'))
  writeFileSync(path.join(from, 'kept/run'), '#!/bin/sh\n', { mode: 0o755 })
  chmodSync(path.join(from, 'becomes-directory'), 0o500)
  const blobs = blobsOf(from)
  const odd = Buffer.from('odd')
  const after = await manifestOf(from, bounds)
  await writeTree(to, differenceOf(before.entries, after.entries), async (name) =>
    name === hash('sha256', odd) ? Readable.from([odd]) : blobs(name),
  )
  const written = await manifestOf(to, bounds)
  const facts = ({ kind, mtime, ...rest }: TreeEntry) => ({
    ...rest,
    kind,
    mtime: kind === 'file' && rest.path !== 'kept/same' ? mtime : 0,
  })
  expect(written.entries.map(facts)).toEqual(after.entries.map(facts))
  expect(readlinkSync(path.join(to, 'link'))).toBe('/outside/of/it')
  chmodSync(path.join(from, 'becomes-directory'), 0o700)
  chmodSync(path.join(to, 'becomes-directory'), 0o700)
})

test.each([
  ['another content', 'evil', 4],
  ['a shorter one', 'goo', 4],
  ['a longer one', 'good and more', 4],
])('a file whose hash names %s is not written, and the one before it stays', async (_, sent, size) => {
  await using root = await temporary()
  writeFileSync(root.at('file'), 'before')
  const changed = [entry('file', 'good', { size })]
  await expect(writeTree(root.path, { changed, gone: [] }, async () => Readable.from([Buffer.from(sent)]))).rejects.toThrow(
    'has a file whose content is not the one that was named',
  )
  expect([readFileSync(root.at('file'), 'utf8'), readdirSync(root.path)]).toEqual(['before', ['file']])
})

test('a link in place of a directory is not followed, and nothing outside changes', async () => {
  await using root = await temporary()
  mkdirSync(root.at('tree/sub'), { recursive: true })
  mkdirSync(root.at('outside'))
  writeFileSync(root.at('outside/file'), 'mine')
  rmSync(root.at('tree/sub'), { recursive: true })
  symlinkSync('../outside', root.at('tree/sub'))
  const tree = root.at('tree')
  const each = [
    () => writeTree(tree, { changed: [entry('sub/file', 'evil')], gone: [] }, async () => Readable.from([Buffer.from('evil')])),
    () => writeTree(tree, { changed: [], gone: ['sub/file'] }, none),
    () => writeTree(tree, { changed: [entry('sub/link', '', { kind: 'symlink', hash: '', target: 'x' })], gone: [] }, none),
    () => writeTree(tree, { changed: [entry('sub/new', '', { kind: 'directory', hash: '' })], gone: [] }, none),
  ]
  for (const write of each) await expect(write()).rejects.toMatchObject({ code: expect.stringMatching(/ELOOP|ENOTDIR/) })
  expect([readdirSync(root.at('outside')), readFileSync(root.at('outside/file'), 'utf8')]).toEqual([['file'], 'mine'])
})

test('a directory that another program replaces with a link while a file is written does not lead out', async () => {
  await using root = await temporary()
  mkdirSync(root.at('tree/sub'), { recursive: true })
  mkdirSync(root.at('outside'))
  const content = async () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('ev')
        renameSync(root.at('tree/sub'), root.at('tree/moved'))
        symlinkSync('../outside', root.at('tree/sub'))
        yield Buffer.from('il')
      })(),
    )
  await writeTree(root.at('tree'), { changed: [entry('sub/file', 'evil')], gone: [] }, content)
  expect([readdirSync(root.at('outside')), readdirSync(root.at('tree/moved'))]).toEqual([[], ['file']])
})

test('a directory that is gone stays if something was made in it meanwhile', async () => {
  await using root = await temporary()
  mkdirSync(root.at('gone'))
  writeFileSync(root.at('gone/old'), '')
  writeFileSync(root.at('gone/new'), 'made meanwhile')
  await writeTree(root.path, { changed: [], gone: ['gone/old', 'gone'] }, none)
  expect([readdirSync(root.at('gone')), existsSync(root.at('gone/new'))]).toEqual([['new'], true])
})
