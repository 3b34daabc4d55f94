import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readArchive } from '../../src/contest/seal/read-archive.ts'
import type { SealedFile } from '../../src/contest/seal/seal-schema.ts'
import { tarHeader } from '../../src/contest/seal/seal-tar.ts'
import { writeArchive } from '../../src/contest/seal/write-archive.ts'
import { temporary } from '../support/temporary.ts'

const name = fc
  .oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), fc.stringMatching(/^[a-z]{1,80}$/))
  .map((each) => each.toWellFormed().replaceAll(/[/\0]/g, '_'))
  .filter((each) => !['.', '..'].includes(each) && Buffer.byteLength(each) <= 255)
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }),
  fc.constantFrom(511, 512, 513, 1024 ** 2 + 1).map((size) => new Uint8Array(size).fill(7)),
)
const tree = fc
  .uniqueArray(
    fc.tuple(
      fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
      contents,
      fc.boolean(),
    ),
    {
      selector: ([file]) => file,
      maxLength: 8,
    },
  )
  .map((files) => files.filter(([file]) => !files.some(([other]) => other.startsWith(`${file}/`))))

/** Writes files into a directory and returns them as a seal lists them. */
function put(root: string, files: readonly (readonly [string, Uint8Array, boolean])[]): SealedFile[] {
  return files.map(([file, bytes, executable]) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), bytes)
    return { path: file, size: bytes.length, sha256: hash('sha256', bytes), mode: executable ? '0755' : '0644' }
  })
}

/** Unpacks into a new directory. */
async function unpack(archive: string, files: readonly SealedFile[], into: string): Promise<void> {
  await readArchive(archive, files, (file) => {
    mkdirSync(path.dirname(path.join(into, file.path)), { recursive: true })
    return path.join(into, file.path)
  })
}

test('tar(1) and Paddock unpack any names and contents as packed, and the same files give the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (entries) => {
      await using at = await temporary()
      mkdirSync(at.at('from'))
      const files = put(at.at('from'), entries)
      await writeArchive(at.at('from'), files, at.at('one.tar'))
      await writeArchive(at.at('from'), files, at.at('two.tar'))
      expect(readFileSync(at.at('one.tar')).equals(readFileSync(at.at('two.tar')))).toBe(true)
      for (const into of ['ours', 'theirs']) mkdirSync(at.at(into))
      await unpack(at.at('one.tar'), files, at.at('ours'))
      execFileSync('tar', ['-xf', at.at('one.tar'), '-C', at.at('theirs'), '--no-same-owner', '-p'])
      for (const into of ['ours', 'theirs'])
        for (const [index, [file, bytes, executable]] of entries.entries()) {
          const found = path.join(at.at(into), file)
          expect([into, index, Buffer.from(bytes).equals(readFileSync(found))]).toEqual([into, index, true])
          expect(statSync(found).mode & 0o777).toBe(executable ? 0o755 : 0o644)
        }
    }),
    { numRuns: 40 },
  )
})

test('an archive with any byte changed, added or missing is refused', async () => {
  await using at = await temporary()
  mkdirSync(at.at('from'))
  const long = `${'d'.repeat(90)}/${'f'.repeat(90)}`
  const files = put(at.at('from'), [
    ['a', Buffer.from('content'), false],
    [long, Buffer.from('x'.repeat(600)), true],
  ])
  await writeArchive(at.at('from'), files, at.at('whole.tar'))
  const whole = readFileSync(at.at('whole.tar'))
  let count = 0
  const refused = async (bytes: Uint8Array): Promise<void> => {
    writeFileSync(at.at('changed.tar'), bytes)
    await expect(unpack(at.at('changed.tar'), files, at.at(`into-${count++}`))).rejects.toThrow()
  }
  for (let byte = 0; byte < whole.length; byte += byte < 1024 ? 7 : 61)
    await refused(whole.map((each, index) => (index === byte ? each ^ 1 : each)))
  for (const length of [0, 1, 511, 512, 513, whole.length - 1]) await refused(whole.subarray(0, length))
  await refused(Buffer.concat([whole, Buffer.alloc(1)]))
  await unpack(at.at('whole.tar'), files, at.at('into'))
  expect(existsSync(at.at('into', long))).toBe(true)
})

test('a file of more than 8 GiB has a header that tar(1) understands', async () => {
  await using at = await temporary()
  const size = 9 * 1024 ** 3
  writeFileSync(at.at('large.tar'), tarHeader({ path: 'large', size, mode: '0644' }))
  const header = statSync(at.at('large.tar')).size
  truncateSync(at.at('large.tar'), header + size)
  appendFileSync(at.at('large.tar'), Buffer.alloc(1024))
  expect(execFileSync('tar', ['-tvf', at.at('large.tar')]).toString()).toMatch(/^-rw-r--r-- 0\/0 +9663676416 2000-01-01 \d\d:\d\d large\n$/)
})
