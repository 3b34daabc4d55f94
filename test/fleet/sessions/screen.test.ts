import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openScreen, scrollback } from '../../../src/fleet/sessions/kept-screen.ts'

const size = { columns: 20, rows: 6 }
const screen = () => openScreen(size, () => undefined)
const shownBy = async (...chunks: readonly Uint8Array[]): Promise<string> => {
  using one = screen()
  for (const each of chunks) await one.write(each)
  return one.snapshot().toString()
}

/**
 * The output of programs: text, wide characters, colours, movements, modes, strings, C1 controls, and sequences that never end. After
 * leaving the other screen, a program sets the cursor: leaving it twice restores a saved cursor, which a snapshot does not have.
 */
const printed = fc
  .array(
    fc.oneof(
      fc.constantFrom('word ', 'ä', '漢', '\r\n', '\n', '\b'),
      fc.constantFrom('\u001b[31m', '\u001b[1;4m', '\u001b[0m', '\u001b[38;2;1;2;3m', '\u001b[2J', '\u001b[H', '\u001b[3;4H', '\u001b[2A'),
      fc.constantFrom('\u001b[?1049h', '\u001b[?1049l\u001b[0m\u001b[3H', '\u001b[?2004h', '\u001b[?1h', '\u001b[?1000h'),
      fc.constantFrom('\u001b]0;title\u0007', '\u001bP1$tq\u001b\\', '\u001b_text\u001b\\'),
      fc.constantFrom('\u009b31m', '\u009d0;t\u009c', '\u001b', '\u001b[', '\u001b]52;c;', '\u0018', '\u009b', '\u001b[1;'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.from(parts.map((each, index) => (index % 3 === 2 ? `${each}\r\n` : each)).join('')))

test('a viewer that joins at any byte sees, after the rest, the same as one that saw everything', async () => {
  await fc.assert(
    fc.asyncProperty(printed, fc.nat(), async (bytes, at) => {
      const cut = bytes.length === 0 ? 0 : at % (bytes.length + 1)
      const [before, after] = [bytes.subarray(0, cut), bytes.subarray(cut)]
      using first = screen()
      await first.write(before)
      const joined = await shownBy(first.snapshot(), after)
      expect(joined).toBe(await shownBy(await snapshotOf(before, after)))
    }),
    { numRuns: 300 },
  )
})

/** Returns the snapshot of a terminal that read both, through an extra one, because the compared output went through two. */
async function snapshotOf(before: Uint8Array, after: Uint8Array): Promise<Buffer> {
  using one = screen()
  await one.write(before)
  await one.write(after)
  return one.snapshot()
}

test('bytes that are not text, and a sequence that never ends, change only themselves', async () => {
  const noise = Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 73) % 256))
  using one = screen()
  await one.write(noise)
  expect(one.snapshot().length).toBeLessThan(20_000)
  using endless = screen()
  await endless.write(Buffer.from(`seen \u001b]0;${'t'.repeat(1_000_000)}`))
  const snapshot = endless.snapshot()
  expect(snapshot.length).toBeLessThan(8_192)
  expect(await shownBy(snapshot, Buffer.from('more\u0007 after'))).toContain('seen  after')
})

test('5,000 lines above the screen are kept, and no more', async () => {
  using one = screen()
  await one.write(Buffer.from(Array.from({ length: scrollback + 100 }, (_, index) => `line ${index}\r\n`).join('')))
  const lines = one.snapshot().toString().split('\r\n')
  expect(lines.length).toBeLessThanOrEqual(scrollback + size.rows)
  expect(lines[0]).toBe('line 95')
  expect(one.snapshot().toString()).toContain(`line ${scrollback + 99}`)
})

test('a question of a program is answered', async () => {
  const answers: string[] = []
  using one = openScreen(size, (answer) => void answers.push(answer))
  await one.write(Buffer.from('ab\u001b[6n'))
  expect(answers).toEqual(['\u001b[1;3R'])
})
