import { appendFile, readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openJsonLines, readJsonLines } from '../../src/files/append.ts'
import { temporary } from '../support/temporary.ts'

test('keeps the order of calls that do not wait for each other', async () => {
  await using at = await temporary()
  const file = at.at('events.jsonl')
  {
    await using lines = await openJsonLines(file)
    await Promise.all(Array.from({ length: 50 }, (_, number) => lines.append({ number }, { durable: number % 10 === 0 })))
  }
  expect(await readJsonLines(file)).toEqual(Array.from({ length: 50 }, (_, number) => ({ number })))
})

test('a torn last line is not read, and not continued', async () => {
  await using at = await temporary()
  const file = at.at('events.jsonl')
  await appendFile(file, '{"a":1}\n{"b":2}\n{"torn":"xx')
  expect(await readJsonLines(file)).toEqual([{ a: 1 }, { b: 2 }])
  {
    await using lines = await openJsonLines(file)
    await lines.append({ c: 3 })
  }
  expect(await readFile(file, 'utf8')).toBe('{"a":1}\n{"b":2}\n{"c":3}\n')
})

test('a file cut off anywhere goes on with whole lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 8 }), fc.nat(), async (values, seed) => {
      await using at = await temporary()
      const file = at.at('f')
      const whole = values.map((each) => `${JSON.stringify(each)}\n`).join('')
      const bytes = Buffer.from(whole)
      await appendFile(file, bytes.subarray(0, seed % (bytes.length + 1)))
      {
        await using lines = await openJsonLines(file)
        await lines.append('end')
      }
      const read = await readJsonLines(file)
      expect(read.at(-1)).toBe('end')
      expect(read.slice(0, -1)).toEqual(values.slice(0, read.length - 1).map((each) => JSON.parse(JSON.stringify(each))))
    }),
    { numRuns: 60 },
  )
})

test('a file that is not there has no lines', async () => {
  await using at = await temporary()
  expect(await readJsonLines(at.at('nothing'))).toEqual([])
})
