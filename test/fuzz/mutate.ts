/** Returns a small repeatable generator of numbers (mulberry32). Its seed identifies a run. */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const interesting = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  '\t',
  ':',
  '%2e',
  '%2F',
  '%00',
  '..',
  '//',
  '\\',
  '@',
  '[::1]',
  '127.1',
  'Host: b.example\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  '\r\n\r\n',
  '\xc0\x0c',
  '\xff',
  '*',
  '\u202e',
  'xn--',
]

/** Returns one of the inputs with a few changes. Sometimes bytes of another input are inserted. */
export function mutate(inputs: readonly Buffer[], random: () => number): Buffer {
  const pick = <T>(some: readonly T[]): T | undefined => some[Math.floor(random() * some.length)]
  let bytes = Buffer.from(pick(inputs) ?? Buffer.alloc(0))
  for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes--) {
    const at = Math.floor(random() * (bytes.length + 1))
    const length = Math.floor(random() * 8)
    const kind = random()
    if (kind < 0.25 && bytes.length > 0) bytes[Math.min(at, bytes.length - 1)] = Math.floor(random() * 256)
    else if (kind < 0.4) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    else if (kind < 0.7) bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(interesting) ?? '', 'latin1'), bytes.subarray(at)])
    else if (kind < 0.85) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)])
    else {
      const other = pick(inputs) ?? Buffer.alloc(0)
      const from = Math.floor(random() * (other.length + 1))
      bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(from)])
    }
  }
  return bytes.subarray(0, 8_192)
}
