import jsqr from 'jsqr'
import { expect, test } from 'vitest'
import { qrCode } from '../../../src/cli/terminal/qr-code.ts'

// The package is CommonJS, but its types do not say so.
const read = jsqr as unknown as typeof jsqr.default
/** Pixels per module: several, as in a camera picture. */
const scale = 4

test.each([
  'http://127.0.0.1:7878/login#Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy',
  `https://a-long-name-of-a-server.in-some-domain.example.org:8443/login#${'aZ09-_'.repeat(20)}`,
])('a reader of QR codes reads what is shown: %s', (text) => {
  const rows = qrCode(text).flatMap((line) => {
    const modules = [...line.replace(/\u001b\[[\d;]*m/g, '')]
    return [modules.map((each) => '█▀'.includes(each)), modules.map((each) => '█▄'.includes(each))]
  })
  const width = rows[0]?.length ?? 0
  expect(rows.every((row) => row.length === width)).toBe(true)
  const pixels = new Uint8ClampedArray(rows.length * width * scale * scale * 4).fill(255)
  for (let y = 0; y < rows.length * scale; y++)
    for (let x = 0; x < width * scale; x++)
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true)
        pixels.fill(0, (y * width * scale + x) * 4, (y * width * scale + x) * 4 + 3)
  expect(read(pixels, width * scale, rows.length * scale)?.data).toBe(text)
})
