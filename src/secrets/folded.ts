const blank = new Uint8Array(256)
for (const each of Buffer.from('\t\n\v\f\r ')) blank[each] = 1

/**
 * Returns the bytes without spaces and line ends, which base64(1) and xxd(1) put between the bytes of a secret. Returns the same buffer if
 * it contains none of them.
 */
export function fold(data: Buffer): Buffer {
  let at = 0
  while (at < data.length && blank[data[at] as number] === 0) at++
  if (at === data.length) return data
  const folded = Buffer.allocUnsafe(data.length)
  let length = data.copy(folded, 0, 0, at)
  for (; at < data.length; at++) {
    const byte = data[at] as number
    folded[length] = byte
    // Uses no branch, because spaces in prose are too irregular for branch prediction.
    length += 1 - (blank[byte] as number)
  }
  return folded.subarray(0, length)
}

/** Returns the number of bytes of the data that contain its first `count` bytes that are not spaces. */
export function unfold(data: Buffer, count: number): number {
  let seen = 0
  for (let at = 0; at < data.length; at++) {
    if (blank[data[at] as number] === 0) seen++
    if (seen === count) return at + 1
  }
  return data.length
}
