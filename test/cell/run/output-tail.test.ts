import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { keepOutput, keptOutput } from '../../../src/cell/run/output-tail.ts'

test('a directory in which nothing can be kept takes nothing from the reader, and ends without an error', async () => {
  const directory = mkdtempSync('/tmp/paddock-test-')
  try {
    for (const prepare of [
      () => writeFileSync(path.join(directory, 'output'), 'there already'),
      () => rmSync(directory, { recursive: true }),
    ]) {
      prepare()
      const stream = new PassThrough()
      const end = keepOutput([stream], directory)
      stream.end('all of it')
      expect(String(Buffer.concat(await stream.toArray()))).toBe('all of it')
      end()
      end()
    }
    expect(keptOutput(directory)).toBeNull()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('keeping ends without an error if the directory is removed meanwhile', async () => {
  const directory = mkdtempSync('/tmp/paddock-test-')
  const stream = new PassThrough()
  const end = keepOutput([stream], directory)
  rmSync(directory, { recursive: true })
  stream.end(Buffer.alloc(3 * 1024 ** 2, 'x'))
  expect(Buffer.concat(await stream.toArray())).toHaveLength(3 * 1024 ** 2)
  end()
})
