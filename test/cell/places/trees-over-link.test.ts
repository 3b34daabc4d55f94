import { hash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { ClientHttp2Session, ServerHttp2Stream } from 'node:http2'
import { duplexPair } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type Blob, packOf } from '../../../src/cell/places/blob-pack.ts'
import { answerTo } from '../../../src/cell/places/kept-link.ts'
import { answer, send } from '../../../src/cell/places/place-answers.ts'
import { openLink, serveLink } from '../../../src/cell/places/place-link.ts'
import { fetchTree, forgetTree, sendTree } from '../../../src/cell/places/sent-trees.ts'
import { ServedTrees } from '../../../src/cell/places/served-trees.ts'
import { manifestHash, manifestOf, type TreeEntry } from '../../../src/cell/places/tree-manifest.ts'
import { TreeStamps } from '../../../src/cell/places/tree-stamps.ts'
import { bothWays } from '../../support/both-ways.ts'
import { temporary } from '../../support/temporary.ts'

const bounds = { maxEntries: 10_000, maxBytes: 100_000_000 }
const hashOf = async (root: string): Promise<string> => manifestHash(await manifestOf(root, bounds))

let ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends) end()
  ends = []
})

type Take = (stream: ServerHttp2Stream, parts: readonly string[]) => void

/** Returns a session whose streams below `/trees` the other side takes, and the bytes that home sent. */
function linkTo(take: Take): { readonly session: ClientHttp2Session; readonly sent: () => number } {
  const [here, there] = duplexPair()
  let bytes = 0
  there.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const server = serveLink(bothWays(there), (stream, headers) => take(stream, (headers[':path'] ?? '').split('/').slice(2)))
  const session = openLink(bothWays(here))
  ends.push(
    () => session.destroy(),
    () => server.destroy(),
  )
  return { session, sent: () => bytes }
}

function fill(root: string): void {
  mkdirSync(`${root}/deep/er`, { recursive: true })
  mkdirSync(`${root}/empty`)
  writeFileSync(`${root}/deep/er/big`, Buffer.alloc(3_000_000, 'b'))
  writeFileSync(`${root}/deep/again`, Buffer.alloc(3_000_000, 'b'))
  writeFileSync(Buffer.from(`${root}/deep/\xff\n"`, 'latin1'), 'odd')
  writeFileSync(`${root}/nothing`, '')
  writeFileSync(`${root}/run`, 'before')
  chmodSync(`${root}/run`, 0o755)
  writeFileSync(`${root}/closed`, 'closed')
  chmodSync(`${root}/closed`, 0o400)
  symlinkSync('/outside', `${root}/link`)
}

test('a tree goes to another machine, what a cell makes of it comes back, and a content travels once', async () => {
  await using root = await temporary()
  const [home, copy] = [root.at('home'), root.at('copy')]
  fill(home)
  cpSync(home, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  const trees = new ServedTrees(root.at('there'))
  const { session, sent: sentBytes } = linkTo((stream, parts) => trees.take(stream, parts))
  const sent = await sendTree(session, home)
  expect(sentBytes()).toBeGreaterThan(3_000_000)
  expect(sentBytes()).toBeLessThan(4_000_000)
  const there = trees.directoryOf(sent.id) ?? ''
  expect([await hashOf(there), statSync(`${there}/closed`).mode & 0o777]).toEqual([sent.hash, 0o400])
  // What a cell does there: also a change that keeps size and time.
  const { atime, mtime } = statSync(`${there}/run`)
  writeFileSync(`${there}/run`, 'BEFORE')
  utimesSync(`${there}/run`, atime, mtime)
  rmSync(`${there}/link`)
  symlinkSync('elsewhere', `${there}/link`)
  rmSync(`${there}/empty`, { recursive: true })
  writeFileSync(`${there}/empty`, 'a file now')
  renameSync(`${there}/deep/er`, `${there}/moved`)
  writeFileSync(`${there}/moved/new`, 'new')
  const back = await fetchTree(session, sent, root.at('scratch'))
  await back.writeInto(copy)
  expect(back.difference.changed.map((each) => each.path)).toEqual(['empty', 'link', 'moved', 'moved/big', 'moved/new', 'run'])
  expect(await hashOf(copy)).toBe(await hashOf(there))
  expect(await hashOf(home)).toBe(sent.hash)
  // Again, with what is known on both sides.
  await forgetTree(session, sent)
  expect(existsSync(there)).toBe(false)
  const before = sentBytes()
  const again = await sendTree(session, home)
  expect(again.hash).toBe(sent.hash)
  expect(sentBytes() - before).toBeLessThan(10_000)
  expect(await hashOf(trees.directoryOf(again.id) ?? '')).toBe(sent.hash)
})

test('files that are known are not read again, and a change is never overlooked', async () => {
  await using root = await temporary()
  writeFileSync(root.at('known'), 'known')
  writeFileSync(root.at('other'), 'other')
  const stamps = new TreeStamps()
  for (let round = 0; round < 20; round++) {
    // Each round changes a file right after it was read, with the same size and the same time of modification.
    const { entries } = await manifestOf(root.path, bounds, stamps)
    expect(entries.map((each) => each.hash)).toEqual(['known', 'other'].map((each) => hash('sha256', readFileSync(root.at(each)))))
    const { atime, mtime } = statSync(root.at('known'))
    writeFileSync(root.at('known'), `know${round % 10}`)
    utimesSync(root.at('known'), atime, mtime)
  }
  const stat = { ino: 1, size: 2, mtimeMs: 3_000.5, ctimeMs: 10_000.5 }
  stamps.note('old', stat, 'hash', 10_100)
  stamps.note('new', stat, 'hash', 10_001)
  stamps.note('coarse', { ...stat, ctimeMs: 10_000 }, 'hash', 10_100)
  expect([
    stamps.hashOf('old', stat),
    stamps.hashOf('old', { ...stat, ctimeMs: 10_000.75 }),
    stamps.hashOf('new', stat),
    stamps.hashOf('coarse', { ...stat, ctimeMs: 10_000 }),
  ]).toEqual(['hash', undefined, undefined, undefined])
})

describe('another machine that does not keep to the protocol', () => {
  const file = (path: string, content: string): TreeEntry => ({
    ...{ path, kind: 'file', mode: 0o644, mtime: 0, size: content.length, hash: hash('sha256', content), target: '' },
  })
  const link = (path: string, target: string): TreeEntry => ({ ...file(path, ''), kind: 'symlink', mode: 0, hash: '', target })
  const blob = (content: string, more: Partial<Blob> = {}): Blob => ({
    ...{
      hash: hash('sha256', content),
      size: content.length,
      bytes: (async function* () {
        yield Buffer.from(content)
      })(),
    },
    ...more,
  })

  /** Lets another machine answer with these changes and contents. Returns the error of bringing them back, and what is in the copy then. */
  async function brought(changes: unknown, contents: () => Iterable<Blob> | 'cut' = () => []): Promise<readonly [string, string[]]> {
    await using root = await temporary()
    mkdirSync(root.at('copy'))
    writeFileSync(root.at('copy/kept'), 'kept')
    const { session } = linkTo((stream, [, operation]) => {
      stream.resume()
      if (operation === 'changes') return void answer(stream, async () => changes)
      const given = contents()
      if (given === 'cut') return stream.close(8)
      send(stream, packOf(given))
    })
    const entries = (await manifestOf(root.at('copy'), bounds)).entries
    const sent = { id: '0123456789abcdef', root: root.at('copy'), entries, hash: '', file: '', left: [], hardLinked: 0 }
    const error = await fetchTree(session, sent, root.at('scratch'))
      .then((fetched) => fetched.writeInto(root.at('copy')))
      .then(
        () => '',
        (thrown: Error) => thrown.message,
      )
    return [
      error,
      readdirSync(root.path, { recursive: true, encoding: 'utf8' })
        .filter((each) => !each.startsWith('scratch'))
        .toSorted(),
    ]
  }
  const nothing = ['copy', 'copy/kept']
  const said = (changed: readonly unknown[], gone: readonly string[] = []) => ({ changed, gone, left: [], hardLinked: 0 })

  test.each([
    ['a path above the tree', said([file('../escaped', 'x')]), 'has a path that is not below it'],
    ['an absolute path', said([file('/tmp/escaped', 'x')]), 'has a path that is not below it'],
    ['a path through a link of its own', said([link('up', '..'), file('up/escaped', 'x')]), 'whose parent is not a directory'],
    ['a path through a file', said([file('kept/escaped', 'x')]), 'whose parent is not a directory'],
    ['a name twice', said([file('a', 'x'), file('a', 'y')]), 'is not sent'],
    ['a program with the rights of its owner', said([{ ...file('a', 'x'), mode: 0o4755 }]), 'cannot be read'],
    ['a device', said([{ ...file('a', 'x'), kind: 'device' }]), 'cannot be read'],
    ['no list', { changed: {}, gone: [], left: [], hardLinked: 0 }, 'cannot be read'],
  ])('%s', async (_, changes, message) => {
    const [error, files] = await brought(changes)
    if (message !== 'is not sent') expect(error).toContain(message)
    expect([error === '', files]).toEqual([false, nothing])
  })

  test.each<[string, () => Iterable<Blob> | 'cut', string]>([
    ['another content', () => [blob('y', { hash: hash('sha256', 'x') })], 'not the one that its hash names'],
    ['another size', () => [blob('xx', { hash: hash('sha256', 'x') })], 'nobody asked for'],
    ['a content that nobody asked for', () => [blob('z')], 'nobody asked for'],
    ['a content twice', () => [blob('x'), blob('x')], 'nobody asked for'],
    ['no content', () => [], 'without all of its contents'],
    ['a stream that is cut off', () => 'cut', 'ended'],
    ['a pack that is cut off', () => [blob('', { hash: hash('sha256', 'x'), size: 1 })], ''],
  ])('%s', async (_, contents, message) => {
    const [error, files] = await brought(said([file('new', 'x')], ['kept']), contents)
    expect(error).toContain(message)
    expect([error === '', files]).toEqual([false, nothing])
  })

  test('more than a cell may write, and an answer that never ends', async () => {
    await using root = await temporary()
    mkdirSync(root.at('copy'))
    let isEndless = false
    const { session } = linkTo((stream) => {
      stream.resume()
      if (!isEndless) return void answer(stream, async () => said([file('new', 'x'.repeat(1_000))]))
      stream.respond({ ':status': 200 })
      pipeline(
        (function* () {
          for (;;) yield Buffer.alloc(1024 ** 2, ' ')
        })(),
        stream,
      ).catch(() => undefined)
    })
    const sent = { id: '0123456789abcdef', root: root.at('copy'), entries: [], hash: '', file: '', left: [], hardLinked: 0 }
    await expect(fetchTree(session, sent, root.at('scratch'), 999)).rejects.toThrow('comes back with more than the cell may write')
    isEndless = true
    await expect(answerTo(session, '/facts/x')).rejects.toThrow('the other side answers with more than')
  })

  test('home that sends contents of others, or changes a tree while it is sent', async () => {
    await using root = await temporary()
    const trees = new ServedTrees(root.at('there'))
    mkdirSync(root.at('home'))
    writeFileSync(root.at('home/file'), 'before')
    const { session } = linkTo((stream, parts) => {
      // The manifest is whole before its request; the contents may be read before the request for them is seen here.
      if (parts.length === 0) writeFileSync(root.at('home/file'), 'AFTER!')
      trees.take(stream, parts)
    })
    await expect(sendTree(session, root.at('home'))).rejects.toThrow(/changes while it is read|not the one that its hash names/)
    expect(readdirSync(root.at('there'))).toEqual(['blobs'])
  })
})
