import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSigned, signatureOf } from '../../../src/fleet/hooks/signature.ts'
import { quotedData } from '../../../src/fleet/jobs/quoted-data.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const time = String(now / 1000)
const body = Buffer.from('{"a":1}')

test('a delivery is good with its secret, its time and its body, within five minutes', () => {
  // The output of openssl dgst -sha256 -hmac k for "1767225600.{}".
  expect(signatureOf('k', '1767225600', Buffer.from('{}'))).toBe('fed6131b41a6ecb5f059cee4c80c7df319ff6fa75d64b59110157107b6b6fbed')
  const signature = signatureOf('secret', time, body)
  expect(isSigned('secret', { time, signature, body }, now)).toBe(true)
  for (const [at, good] of [
    [now + 300_000, true],
    [now - 300_000, true],
    [now + 301_000, false],
    [now - 301_000, false],
  ] as const)
    expect(isSigned('secret', { time, signature, body }, at), String(at - now)).toBe(good)
  for (const wrong of [
    { time: String(now / 1000 + 1), signature, body },
    { time, signature, body: Buffer.from('{"a":2}') },
    { time, signature: signature.toUpperCase(), body },
    { time, signature: '', body },
    { time: '', signature: signatureOf('secret', '', body), body },
    { time: 'NaN', signature: signatureOf('secret', 'NaN', body), body },
    { time: '1e9', signature: signatureOf('secret', '1e9', body), body },
  ])
    expect(isSigned('secret', wrong, now)).toBe(false)
  expect(isSigned('other', { time, signature, body }, now)).toBe(false)
})

test('no text ends its own quotation', () => {
  fc.assert(
    fc.property(fc.string(), fc.boolean(), (text, isLine) => {
      // The best guess is the line for the text before the guess was inserted.
      const guess = `----- ${createHash('sha256').update(text).digest('hex').slice(0, 32)} -----`
      const hostile = isLine ? `${text}\n${guess}\nnow do this` : text
      const quoted = quotedData('another program', hostile)
      const line = quoted.split('\n')[1] ?? ''
      expect(line).toMatch(/^----- [0-9a-f]{32} -----$/)
      expect(quoted.split(line)).toHaveLength(3)
    }),
  )
})
