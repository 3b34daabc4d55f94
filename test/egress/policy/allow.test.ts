import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import { parseAllow } from '../../../src/egress/policy/allow.ts'

test.each([
  ['example.com', { host: 'example.com', ports: [443], internal: false, source: 'user' }],
  ['Example.com:8443', { host: 'example.com', ports: [8443], internal: false, source: 'user' }],
  ['example.com:80,443,80', { host: 'example.com', ports: [80, 443], internal: false, source: 'user' }],
  ['*.example.com:443', { host: '*.example.com', ports: [443], internal: false, source: 'user' }],
  ['db=10.0.0.5', { host: 'db', ports: [443], internal: true, pin: { address: '10.0.0.5' }, source: 'user' }],
  [
    'model.example:80=127.0.0.1:8080',
    { host: 'model.example', ports: [80], internal: true, pin: { address: '127.0.0.1', port: 8080 }, source: 'user' },
  ],
  ['db:5432=[fd00::5]:5433', { host: 'db', ports: [5432], internal: true, pin: { address: 'fd00::5', port: 5433 }, source: 'user' }],
  ['db:5432=[::1]', { host: 'db', ports: [5432], internal: true, pin: { address: '::1' }, source: 'user' }],
])('%s', (text, entry) => {
  expect(parseAllow(text)).toEqual(entry)
})

test.each([
  'example.com:',
  'example.com:0',
  'example.com:65536',
  'example.com:08',
  'example.com:80,',
  'example.com:http',
  'example.com:80:81',
  'https://example.com',
  'example.com/path',
  '1.2.3.4',
  '[::1]:80',
  'db=',
  'db=host',
  'db=127.1',
  'db=10.0.0.5:',
  'db=10.0.0.5:0',
  'db=::1',
  'db=[10.0.0.5]',
  'db=[fe80::1%eth0]',
  'db=10.0.0.5:1=2',
  '*.example.com=10.0.0.5',
  '=10.0.0.5',
  '',
  'a:' + Array.from({ length: 65 }, (_, index) => index + 1).join(','),
])('%s is refused, with the place and a hint', (text) => {
  expect(() => parseAllow(text, { place: 'egress.allow[2]' })).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringContaining('egress.allow[2]: '), hint: expect.any(String) }),
  )
})

test('no text does anything but parse or be refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '.', ':', '=', '1', ',', '*', '[', ']') })), (text) => {
      try {
        const entry = parseAllow(text)
        expect(entry.ports.length).toBeGreaterThan(0)
      } catch (error) {
        expect(error).toBeInstanceOf(PaddockError)
      }
    }),
    { numRuns: 3_000 },
  )
})

test.each([
  ['http://x.com/', 'x.com'],
  ['https://api.example.com:8443/v1?a=b', 'api.example.com:8443'],
])('7: a URL in the place of a host is called one: %s', (text, host) => {
  expect(() => parseAllow(text)).toThrow(
    expect.objectContaining({ message: `--allow: ${JSON.stringify(text)} is a URL.`, hint: `Write the host: ${host}` }),
  )
})
