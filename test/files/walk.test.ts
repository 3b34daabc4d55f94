import { closeSync, fstatSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { WalkTooLarge, walk } from '../../src/files/walk.ts'
import { temporary } from '../support/temporary.ts'

const bounds = { maxEntries: 1000, maxDepth: 10 }

test('a directory that is swapped for a link in the middle of the walk is not entered', async () => {
  await using at = await temporary()
  await mkdir(at.at('tree/inner'), { recursive: true })
  await mkdir(at.at('elsewhere'))
  await writeFile(at.at('elsewhere/secret'), 'secret')
  const seen: string[] = []
  for await (const entry of walk(at.at('tree'), bounds)) {
    seen.push(`${entry.names.join('/')} ${entry.notEntered ?? entry.kind}`)
    if (entry.notEntered === undefined) {
      renameSync(at.at('tree/inner'), at.at('gone'))
      symlinkSync(at.at('elsewhere'), at.at('tree/inner'))
    }
  }
  expect(seen).toEqual(['inner directory', 'inner changed while it was read'])
})

test('a directory that is moved away while it is read is still read, and nothing else in its place', async () => {
  await using at = await temporary()
  await mkdir(at.at('tree/inner'), { recursive: true })
  for (const name of ['a', 'b']) await writeFile(at.at('tree/inner', name), 'mine')
  await mkdir(at.at('elsewhere'))
  for (const name of ['a', 'b']) await writeFile(at.at('elsewhere', name), 'secret')
  const contents: string[] = []
  for await (const entry of walk(at.at('tree'), bounds)) {
    if (entry.kind !== 'file') continue
    if (contents.length === 0) {
      renameSync(at.at('tree/inner'), at.at('gone'))
      symlinkSync(at.at('elsewhere'), at.at('tree/inner'))
    }
    const descriptor = entry.open()
    contents.push(readFileSync(descriptor, 'utf8'))
    closeSync(descriptor)
  }
  expect(contents).toEqual(['mine', 'mine'])
})

test('a file that becomes a link cannot be opened', async () => {
  await using at = await temporary()
  await mkdir(at.at('tree'))
  await writeFile(at.at('tree/file'), 'x')
  for await (const entry of walk(at.at('tree'), bounds)) {
    renameSync(at.at('tree/file'), at.at('gone'))
    symlinkSync('/etc/passwd', at.at('tree/file'))
    expect(() => entry.open()).toThrow(/ELOOP/)
  }
})

test('a root that is a link is not walked', async () => {
  await using at = await temporary()
  symlinkSync('/etc', at.at('root'))
  await expect(walk(at.at('root'), bounds).next()).rejects.toThrow(/ELOOP|ENOTDIR/)
})

test('is bounded in entries and in depth, and closes what it opened', async () => {
  await using at = await temporary()
  await mkdir(at.at('tree', ...Array.from({ length: 20 }, () => 'd')), { recursive: true })
  const open = (): number => readdirSync('/proc/self/fd').length
  const before = open()
  const notEntered: string[] = []
  for await (const entry of walk(at.at('tree'), bounds)) if (entry.notEntered !== undefined) notEntered.push(entry.notEntered)
  expect(notEntered).toEqual(['deeper than 10 directories'])
  const counting = async (): Promise<void> => {
    for await (const _entry of walk(at.at('tree'), { maxEntries: 3, maxDepth: 10 })) {
      // The walk itself counts.
    }
  }
  await expect(counting()).rejects.toThrow(WalkTooLarge)
  for await (const _entry of walk(at.at('tree'), bounds)) break
  expect(open()).toBe(before)
})

test('opened entries are the very files', async () => {
  await using at = await temporary()
  await mkdir(at.at('tree'))
  await writeFile(at.at('tree/file'), 'four')
  for await (const entry of walk(at.at('tree'), bounds)) {
    const descriptor = entry.open()
    expect(fstatSync(descriptor).size).toBe(4)
    closeSync(descriptor)
  }
})

test('8: a directory of many long names is walked as a whole, and not beyond the bound', async () => {
  await using at = await temporary()
  await mkdir(at.at('tree'))
  const names = [...Array(900).keys()].map((each) => `${String(each).padStart(3, '0')}${'x'.repeat(200)}`)
  for (const each of names) await writeFile(at.at('tree', each), '')
  const seen: string[] = []
  for await (const entry of walk(at.at('tree'), bounds)) seen.push(String(entry.names[0]))
  expect(seen.sort()).toEqual(names)
  const some = async (): Promise<void> => {
    for await (const _ of walk(at.at('tree'), { ...bounds, maxEntries: 899 }));
  }
  await expect(some()).rejects.toBeInstanceOf(WalkTooLarge)
})
