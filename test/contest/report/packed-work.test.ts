import { hash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type PackedWork, packWork, type SealedWork } from '../../../src/contest/seal/packed-work.ts'
import { sealSubmission } from '../../../src/contest/seal/seal.ts'
import type { WorkIndex } from '../../../src/contest/seal/work-index.ts'
import { temporary } from '../../support/temporary.ts'

const inflated = (text: string): Buffer => inflateRawSync(Buffer.from(text, 'base64'))

async function sealed(root: string, name: string, files: Readonly<Record<string, string | Buffer>>): Promise<SealedWork> {
  const out = path.join(root, name, 'out')
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(out, file)), { recursive: true })
    await writeFile(path.join(out, file), content)
  }
  const directory = path.join(root, name, 'sealed')
  const archive = path.join(directory, 'out.tar')
  const target = { directory, archive, seal: path.join(directory, 'seal.json') }
  const about = { attempt: 1, now: new Date(0), scratch: path.join(root, name, 'scratch') }
  return { name, archive, seal: await sealSubmission(out, target, { maxFiles: 1000, maxBytes: 1e9 }, about) }
}

/** Returns what a page would show of each file. */
function shown({ index, data }: PackedWork): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { submissions, contents } = JSON.parse(inflated(index).toString()) as WorkIndex
  const text = (content: number | string): string => {
    if (typeof content === 'string') return `(${content})`
    const { at, length, picture } = contents[content] ?? { at: 0, length: 0, picture: null }
    return `${picture ?? ''}${inflated(data.slice(at, at + length)).toString(picture === null ? 'utf8' : 'base64')}`
  }
  return Object.fromEntries(
    submissions.map(({ name, files }) => [name, Object.fromEntries(files.map((each) => [each.path, text(each.content)]))]),
  )
}

test('files are shown as they were sealed, equal ones are there once, and the others say why they are not', async () => {
  await using on = await temporary()
  const pixel = Buffer.from('iVBORw0KGgo=', 'base64')
  const same = 'the same in both '.repeat(100)
  const one = await sealed(on.path, 'one', {
    'a/same': same,
    'x.txt': 'mine',
    'p.png': pixel,
    nul: 'a\0b',
    'not-utf8': Buffer.from([0xff, 0xfe, 0x41]),
  })
  const two = await sealed(on.path, 'two', { 'other-name': same, empty: '', large: 'x'.repeat(1024 * 1024 + 1) })
  const packed = await packWork([one, two])
  expect(shown(packed)).toEqual({
    one: { 'a/same': same, 'x.txt': 'mine', 'p.png': `image/png${pixel.toString('base64')}`, nul: '(binary)', 'not-utf8': '(binary)' },
    two: { 'other-name': same, empty: '', large: '(large)' },
  })
  expect((JSON.parse(inflated(packed.index).toString()) as WorkIndex).contents).toHaveLength(4)
})

test('if the space is not enough for all, the smallest are packed', async () => {
  await using on = await temporary()
  const random = (length: number): string =>
    Array.from({ length: length / 50 }, (_, at) => hash('sha512', `${length} ${at}`).slice(0, 50)).join('')
  const files = { big: random(3000), small: 'a', middle: random(300) }
  const packed = await packWork([await sealed(on.path, 'one', files)], 1500)
  expect(shown(packed)).toEqual({ one: { ...files, big: '(no-room)' } })
  expect(packed.data.length).toBeLessThanOrEqual(1500)
})

test('bytes that are not those of the seal, and an archive that is gone, are not shown', async () => {
  await using on = await temporary()
  const one = await sealed(on.path, 'one', { a: 'first', b: 'second' })
  const bytes = await readFile(one.archive)
  bytes[bytes.indexOf('first')] = 0x46
  await writeFile(one.archive, bytes)
  const gone = { ...(await sealed(on.path, 'two', { c: 'third' })), archive: path.join(on.path, 'nowhere') }
  expect(shown(await packWork([one, gone]))).toEqual({ one: { a: '(changed)', b: 'second' }, two: { c: '(changed)' } })
})
