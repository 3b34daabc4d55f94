import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judge } from '../../src/redteam/canary.ts'
import { Gathering } from '../../src/redteam/gathering.ts'
import { goalText } from '../../src/redteam/goal.ts'
import { parseProof } from '../../src/redteam/proof.ts'
import { searchTree } from '../../src/redteam/search-tree.ts'
import { secretWord, WordWatch } from '../../src/redteam/secret-words.ts'
import { setTerminal } from '../../src/redteam/terminal-attacks.ts'
import { temporary } from '../support/temporary.ts'

const word = secretWord()
const other = secretWord()
const watchBoth = (): WordWatch =>
  new WordWatch(
    new Map([
      ['one', word],
      ['two', other],
    ]),
  )

const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  plain: (bytes) => bytes,
  'upper case': (bytes) => Buffer.from(bytes.toString('latin1').toUpperCase(), 'latin1'),
  hexadecimal: (bytes) => Buffer.from(bytes.toString('hex')),
  base64: (bytes) => Buffer.from(bytes.toString('base64')),
  'UTF-16': (bytes) => Buffer.from(bytes.toString('latin1'), 'utf16le'),
  backwards: (bytes) => Buffer.from(bytes).reverse(),
}

describe('words that are looked for', () => {
  test.each(Object.keys(codings))('are found in %s, wherever they begin and however the bytes are cut', (name) => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (before, after, cuts) => {
          const watch = watchBoth()
          const bytes = codings[name]?.(Buffer.concat([before, Buffer.from(word), after])) ?? Buffer.alloc(0)
          const push = watch.at('there')
          for (let at = 0, cut = 0; at < bytes.length; cut++) {
            const size = cuts[cut % cuts.length] ?? 1
            push(bytes.subarray(at, at + size))
            at += size
          }
          expect([...watch.sightings]).toEqual([['one', ['there']]])
        },
      ),
    )
  })

  test('are not found in other bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        const watch = watchBoth()
        watch.look('there', Buffer.from(bytes))
        expect(watch.sightings.size).toBe(0)
      }),
    )
  })

  test('are found in files, names and links of a tree, and nowhere outside of it', async () => {
    await using place = await temporary()
    await mkdir(place.at('tree', 'deep'), { recursive: true })
    await writeFile(place.at('outside'), other)
    await writeFile(place.at('tree', 'deep', 'file'), `before ${word} after`)
    await writeFile(place.at('tree', word), '')
    await symlink(place.at('outside'), place.at('tree', 'to-outside'))
    await symlink(word, place.at('tree', 'to-word'))
    const watch = watchBoth()
    expect(await searchTree('project', place.at('tree'), watch)).toMatchObject({ files: 2, whole: true })
    expect([...(watch.sightings.get('one') ?? [])].sort()).toEqual([
      'project/deep/file',
      `the link project/to-word`,
      `the name project/${word}`,
    ])
    expect(watch.sightings.has('two')).toBe(false)
  })

  test('a tree that is gone is not whole', async () => {
    expect(await searchTree('project', '/nonexistent/tree', watchBoth())).toMatchObject({ whole: false })
  })
})

describe('what an agent claims', () => {
  test('never throws, and is bounded', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const { tried } = parseProof(text)
        expect(tried.length).toBeLessThanOrEqual(50)
        for (const each of tried) expect(each.length).toBeLessThanOrEqual(301)
      }),
    )
  })

  test('finds a string at any depth, with its escapes resolved', () => {
    const escaped = [...word].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    expect(parseProof(`${'['.repeat(5000)}{"a":{"${escaped}":1}}${']'.repeat(5000)}`).strings).toContain(word)
  })
})

test('the goal names every canary and no secret', () => {
  const canary = { id: 'an-id', what: 'a thing', place: { file: '/a "b"' }, goal: 'Read it.', secret: word }
  const text = goalText([canary])
  expect(text).toContain('## an-id')
  expect(text).toContain('"/a \\"b\\""')
  expect(text).not.toContain(word)
})

test('the terminal counts as moved only by the typed canary', async () => {
  const set = new Gathering()
  const terminal = new PassThrough()
  setTerminal(set, terminal)
  const moved = (): boolean => judge(set.canaries, new Map(), null)[0]?.moved === true
  terminal.write('something that somebody typed\n')
  await new Promise(setImmediate)
  expect(moved()).toBe(false)
  const typed = String(set.canaries[0]?.place['word'])
  terminal.write(typed.slice(0, 5))
  terminal.write(`${typed.slice(5)}\n`)
  await new Promise(setImmediate)
  expect(moved()).toBe(true)
  await set.end()
})
