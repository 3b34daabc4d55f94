import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAuditLog } from '../../src/audit/audit-log.ts'
import { newestLines } from '../../src/audit/read-log.ts'
import { type AuditProblem, verifyAudit } from '../../src/audit/verify-log.ts'
import { temporary } from '../support/temporary.ts'

function write(directory: string, count: number, kind = 'test'): void {
  const log = openAuditLog(directory)
  for (let event = 0; event < count; event++) log.write({ kind, cell: 'c0ffee', data: { event, host: 'a.example' } })
  log.close()
}

/** Returns a log of 12 lines, and a way to change its lines and see what the verification finds. */
async function bench() {
  const at = await temporary()
  write(at.path, 12)
  const file = at.at('audit.jsonl')
  const original = readFileSync(file)
  const lines = original.toString().trimEnd().split('\n')
  const found = (content: Buffer | string): AuditProblem | null => {
    writeFileSync(file, content)
    return verifyAudit(at.path).problem
  }
  const join = (all: readonly string[]): string => all.map((each) => `${each}\n`).join('')
  return { at, file, original, lines, found, join, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() }
}

test('any other byte anywhere is found', async () => {
  await using b = await bench()
  fc.assert(
    fc.property(fc.nat(b.original.length - 1), fc.integer({ min: 1, max: 255 }), (position, change) => {
      const bytes = Buffer.from(b.original)
      bytes.writeUInt8((bytes.readUInt8(position) + change) % 256, position)
      expect(b.found(bytes)).not.toBeNull()
    }),
    { numRuns: 500 },
  )
  expect(b.found(b.original)).toBeNull()
})

test('any bytes cut out, put in or cut off are found', async () => {
  await using b = await bench()
  fc.assert(
    fc.property(
      fc.nat(b.original.length - 1),
      fc.integer({ min: 1, max: 900 }),
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      (from, count, more) => {
        const cut = Buffer.concat([b.original.subarray(0, from), b.original.subarray(from + count)])
        expect(b.found(cut)).not.toBeNull()
        expect(b.found(b.original.subarray(0, from))).not.toBeNull()
        expect(b.found(Buffer.concat([b.original.subarray(0, from), more, b.original.subarray(from)]))).not.toBeNull()
      },
    ),
    { numRuns: 200 },
  )
})

test('any other order of the lines, any subset, any repetition is found', async () => {
  await using b = await bench()
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...b.lines), { maxLength: 15 }), (some) => {
      expect(b.found(b.join(some)) === null).toBe(b.join(some) === b.join(b.lines))
    }),
  )
  fc.assert(
    fc.property(fc.shuffledSubarray(b.lines, { minLength: 10 }), (some) => {
      expect(b.found(b.join(some)) === null).toBe(b.join(some) === b.join(b.lines))
    }),
  )
})

test('says what it is, and where', async () => {
  await using b = await bench()
  const without = (at: number): string => b.join(b.lines.filter((_, each) => each !== at))
  const [four = '', five = ''] = b.lines.slice(4)
  expect(b.found(without(4))).toMatchObject({
    kind: 'dropped',
    file: 'audit.jsonl',
    line: 5,
    message: expect.stringContaining('line 5 of the chain'),
  })
  expect(b.found(b.join(b.lines.toSpliced(4, 2, five, four)))).toMatchObject({ kind: 'reordered', line: 5 })
  expect(b.found(b.join(b.lines.toSpliced(4, 0, four)))).toMatchObject({ kind: 'reordered', line: 6 })
  expect(b.found(b.join(b.lines.with(4, four.replace('a.example', 'b.example'))))).toMatchObject({ kind: 'changed', line: 5 })
  expect(b.found(without(11))).toMatchObject({ kind: 'truncated', line: null })
  expect(b.found(without(0))).toMatchObject({ kind: 'dropped', line: 1 })
  expect(b.found('')).toMatchObject({ kind: 'truncated' })
  expect(b.found(`${b.original.toString()}{"schemaVersion":1,"se`)).toMatchObject({ kind: 'torn', line: 13 })
  rmSync(b.at.at('head.json'))
  expect(b.found(b.original)).toMatchObject({ kind: 'head' })
})

test('a rewritten line with a matching hash does not fit the next line or the head', async () => {
  await using b = await bench()
  await using other = await temporary()
  write(other.path, 12, 'forged')
  const forged = readFileSync(other.at('audit.jsonl'), 'utf8').trimEnd().split('\n')
  for (const at of [0, 5, 11]) {
    const line = forged[at] ?? ''
    expect(b.found(b.join(b.lines.with(at, line)))).not.toBeNull()
  }
  expect(b.found(b.join(forged))).toMatchObject({ kind: 'changed' })
})

test.each([0, 3, 11])('lines behind line %i that are missing stay to be found after more was written', async (keep) => {
  await using b = await bench()
  writeFileSync(b.file, b.join(b.lines.slice(0, keep)))
  write(b.at.path, 3)
  expect(verifyAudit(b.at.path).problem).toMatchObject({ kind: 'dropped', line: keep + 1 })
})

test('a changed last line stays to be found after more was written', async () => {
  await using b = await bench()
  writeFileSync(b.file, b.join(b.lines.with(11, (b.lines[11] ?? '').replace('a.example', 'b.example'))))
  write(b.at.path, 2)
  expect(verifyAudit(b.at.path)).toMatchObject({ whole: false })
})

test('the next writer seals a torn line, wherever the crash was, and the log says so', async () => {
  await using b = await bench()
  const head = readFileSync(b.at.at('head.json'))
  write(b.at.path, 1)
  const longer = readFileSync(b.file)
  fc.assert(
    fc.property(fc.integer({ min: b.original.length + 1, max: longer.length - 2 }), fc.boolean(), (length, twice) => {
      writeFileSync(b.file, longer)
      truncateSync(b.file, length)
      writeFileSync(b.at.at('head.json'), head)
      write(b.at.path, 1)
      if (twice) {
        // The sealing line is torn as well.
        const sealed = readFileSync(b.file)
        truncateSync(b.file, length + 1 + Math.floor((sealed.length - length) / 4))
        writeFileSync(b.at.at('head.json'), head)
        write(b.at.path, 1)
      }
      const verdict = verifyAudit(b.at.path)
      expect(verdict).toMatchObject({ whole: true, lines: 14 })
      expect(verdict.notes).toHaveLength(1)
      // 7: the reader of the newest lines agrees.
      expect(newestLines(b.at.path, {}, 100)).toMatchObject({ unreadable: 0, lines: { length: 14 } })
      expect(readFileSync(b.file).subarray(0, length)).toEqual(longer.subarray(0, length))
      // The torn bytes are part of the log: their removal or change is found.
      const bytes = readFileSync(b.file)
      expect(b.found(Buffer.concat([bytes.subarray(0, b.original.length), bytes.subarray(length + 1)]))).not.toBeNull()
    }),
    { numRuns: 40 },
  )
})

test('a crash between a line and the head loses nothing and is not a fault', async () => {
  await using b = await bench()
  const head = readFileSync(b.at.at('head.json'))
  write(b.at.path, 1)
  writeFileSync(b.at.at('head.json'), head)
  expect(verifyAudit(b.at.path)).toMatchObject({ whole: true, lines: 13, notes: [] })
  write(b.at.path, 1)
  expect(verifyAudit(b.at.path)).toMatchObject({ whole: true, lines: 14, notes: [] })
})

test('a line of which only the newline is missing is kept', async () => {
  await using b = await bench()
  truncateSync(b.file, b.original.length - 1)
  expect(verifyAudit(b.at.path).problem).toMatchObject({ kind: 'truncated' })
  write(b.at.path, 1)
  expect(verifyAudit(b.at.path)).toMatchObject({ whole: true, lines: 14, notes: [expect.stringContaining('newline of line 12')] })
})

test('a log that cannot be read is not whole: the place is reported in one sentence', async () => {
  await using at = await temporary()
  writeFileSync(at.at('file'), '')
  expect(() => verifyAudit(at.at('file'))).toThrow(/^The audit log in .*file cannot be read: ENOTDIR/)
  symlinkSync('/etc/hostname', at.at('audit.jsonl'))
  expect(() => verifyAudit(at.path)).toThrow(/^The audit log in .* cannot be read: ELOOP/)
})

test('7: a torn line that was not sealed, or was changed since, is reported as changed', async () => {
  await using b = await bench()
  write(b.at.path, 1)
  const longer = readFileSync(b.file)
  truncateSync(b.file, longer.length - 10)
  expect(newestLines(b.at.path, {}, 100).unreadable).toBe(1)
  write(b.at.path, 1)
  const sealed = readFileSync(b.file)
  expect(newestLines(b.at.path, {}, 100).unreadable).toBe(0)
  sealed[longer.length - 15] = 0x58
  writeFileSync(b.file, sealed)
  expect(verifyAudit(b.at.path).whole).toBe(false)
  expect(newestLines(b.at.path, {}, 100).unreadable).toBe(1)
})

test('a line in a newer format is not verified, and the problem names the format', async () => {
  await using b = await bench()
  const newer = (lines: readonly string[]) => lines.map((each) => each.replace('"schemaVersion":1,', '"schemaVersion":2,'))
  for (const all of [
    [...b.lines.slice(0, 8), ...newer(b.lines.slice(8))],
    [...b.lines.slice(0, 7), ...newer([b.lines[7] ?? '']), ...b.lines.slice(8)],
  ])
    expect(b.found(b.join(all))).toMatchObject({
      kind: 'changed',
      message: 'this line is in a format of a newer Paddock (schemaVersion 2; this one reads 1), which can verify it',
    })
})
