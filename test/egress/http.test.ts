import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRequestHead } from '../../src/egress/http/http-head.ts'
import { HttpStream } from '../../src/egress/http/http-stream.ts'

const destination = { host: 'a.example', port: 80 }

/** Feeds a stream in these pieces. Returns what was let through and how it ended. */
function follow(chunks: readonly Buffer[]): { passed: string; end: string } {
  const stream = new HttpStream(destination)
  let passed = ''
  for (const chunk of chunks) {
    const fed = stream.feed(chunk)
    passed += Buffer.concat([...fed.forward]).toString('latin1')
    if (fed.refusal !== null) return { passed, end: fed.refusal.reason }
    if (fed.upgrade) return { passed, end: 'upgrade' }
  }
  return { passed, end: 'open' }
}
const whole = (text: string) => follow([Buffer.from(text, 'latin1')])
const bytewise = (text: string) => follow([...Buffer.from(text, 'latin1')].map((byte) => Buffer.from([byte])))

const get = 'GET / HTTP/1.1\r\nHost: a.example\r\n\r\n'
const post = 'POST /x HTTP/1.1\r\nhost: A.Example:80\r\nContent-Length: 5\r\n\r\nhello'
const chunked = 'PUT / HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n00a\r\n0123456789\r\n0\r\n\r\n'
const trailers = chunked.replace(/\r\n$/, 'X-Sum: 1\r\n\r\n')
const absolute = 'GET http://a.example/x?y HTTP/1.1\r\nHost: a.example\r\n\r\n'
const options = 'OPTIONS * HTTP/1.0\r\nHost: a.example\r\nX-Long: \t caf\xe9 \r\n\r\n'
const good = [get, post, chunked, trailers, absolute, options]

describe('what goes through, byte for byte', () => {
  test.each(good)('%j', (text) => {
    expect(whole(text)).toEqual({ passed: text, end: 'open' })
    expect(bytewise(text)).toEqual({ passed: text, end: 'open' })
  })

  test('any sequence of good requests, cut anywhere', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...good), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(900), { maxLength: 12 }),
        (requests, cuts) => {
          const bytes = Buffer.from(requests.join(''), 'latin1')
          const edges = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length]
          expect(follow(edges.slice(1).map((end, index) => bytes.subarray(edges[index], end)))).toEqual({
            passed: requests.join(''),
            end: 'open',
          })
        },
      ),
      { numRuns: 500 },
    )
  })
})

const request = (...lines: string[]) => ['POST / HTTP/1.1', 'Host: a.example', ...lines, '', ''].join('\r\n')
describe('what is refused, and nothing of it goes through', () => {
  test.each([
    ['another Host', 'GET / HTTP/1.1\r\nHost: b.example\r\n\r\n', 'host-mismatch'],
    ['another port', 'GET / HTTP/1.1\r\nHost: a.example:81\r\n\r\n', 'host-mismatch'],
    ['another target', 'GET http://b.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n', 'host-mismatch'],
    ['another Host under a good target', 'GET http://a.example/ HTTP/1.1\r\nHost: b.example\r\n\r\n', 'host-mismatch'],
    ['no Host', 'GET / HTTP/1.1\r\nX: a.example\r\n\r\n', 'malformed'],
    ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 'malformed'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n', 'malformed'],
    ['two names in a Host', 'GET / HTTP/1.1\r\nHost: a.example, b.example\r\n\r\n', 'malformed'],
    ['a user in the Host', 'GET / HTTP/1.1\r\nHost: a.example@b.example\r\n\r\n', 'malformed'],
    ['a user in the target', 'GET http://a.example@b.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n', 'malformed'],
    ['https in the target', 'GET https://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n', 'malformed'],
    ['a target of a name', 'GET b.example HTTP/1.1\r\nHost: a.example\r\n\r\n', 'malformed'],
    ['CONNECT', 'CONNECT b.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n', 'malformed'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'malformed'],
    ['HTTP/0.9', 'GET /\r\n\r\n', 'malformed'],
    ['two spaces', 'GET  / HTTP/1.1\r\nHost: a.example\r\n\r\n', 'malformed'],
    ['a length beside chunks', request('Content-Length: 3', 'Transfer-Encoding: chunked'), 'malformed'],
    ['two lengths', request('Content-Length: 3', 'Content-Length: 4'), 'malformed'],
    ['a list of lengths', request('Content-Length: 3, 3'), 'malformed'],
    ['a signed length', request('Content-Length: +3'), 'malformed'],
    ['an endless length', request('Content-Length: 9999999999999999'), 'malformed'],
    ['gzip, chunked', request('Transfer-Encoding: gzip, chunked'), 'malformed'],
    ['identity', request('Transfer-Encoding: identity'), 'malformed'],
    ['chunked twice', request('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'), 'malformed'],
    ['an encoding with a tab', request('Transfer-Encoding: \x0bchunked'), 'malformed'],
    ['chunks in HTTP/1.0', request('Transfer-Encoding: chunked').replace('1.1', '1.0'), 'malformed'],
    ['a space before the colon', request('Content-Length : 3'), 'malformed'],
    ['a folded line', request('X: a', ' b'), 'malformed'],
    ['a bare LF', 'GET / HTTP/1.1\nHost: a.example\r\n\r\n', 'malformed'],
    ['a bare CR', 'GET / HTTP/1.1\r\nHost: a.example\r\nX: a\rHost: b.example\r\n\r\n', 'malformed'],
    ['a NUL', request('X: a\0b'), 'malformed'],
    ['an empty line first', `\r\n${get}`, 'malformed'],
    ['a head of 65 KB', request(`X: ${'a'.repeat(65_536)}`), 'malformed'],
    ['a head that does not end', `GET / HTTP/1.1\r\nX: ${'a'.repeat(65_536)}`, 'malformed'],
    ['an upgrade with a body', request('Upgrade: websocket', 'Content-Length: 1'), 'malformed'],
  ])('%s', (_what, text, reason) => {
    expect(whole(text)).toEqual({ passed: '', end: reason })
    if (text.length < 10_000) expect(bytewise(text)).toEqual({ passed: '', end: reason })
    expect(whole(get + post + text)).toEqual({ passed: get + post, end: reason })
  })

  test.each([
    ['a chunk extension', '5;x=y\r\nhello\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', '4\r\nhello\r\n0\r\n\r\n'],
    ['a chunk size that is not a number', 'x\r\n'],
    ['a signed chunk size', '-1\r\n'],
    ['a size of 9 digits', '000000005\r\nhello\r\n'],
    ['a bare LF behind a size', '5\nhello\r\n'],
    ['a Host in the trailer', '0\r\nHost: b.example\r\n\r\n'],
    ['a folded trailer', '0\r\nX: a\r\n b\r\n\r\n'],
  ])('%s', (_what, body) => {
    const head = request('Transfer-Encoding: chunked')
    const found = whole(head + body + get)
    expect(found.end).toBe('malformed')
    expect(found.passed.endsWith(get)).toBe(false)
    expect(bytewise(head + body + get)).toEqual(found)
  })

  test('an upgrade after another request', () => {
    expect(whole(get + request('Upgrade: websocket'))).toEqual({ passed: get, end: 'malformed' })
  })
})

test('an upgrade stops the stream behind its head, with the rest handed back', () => {
  const fed = new HttpStream(destination).feed(Buffer.from(`${request('Connection: upgrade', 'Upgrade: WebSocket')}frames`))
  expect([fed.upgrade, fed.rest?.toString()]).toEqual([true, 'frames'])
})

test('arbitrary bytes never throw; what passes is a prefix of what came, cut or not', () => {
  const part = fc.constantFrom(
    'GET / HTTP/1.1\r\n',
    'POST /a HTTP/1.0\r\n',
    'Host: a.example\r\n',
    'Host: b.example\r\n',
    'Content-Length: 3\r\n',
    'Transfer-Encoding: chunked\r\n',
    '\r\n',
    '\n',
    '\r',
    'abc',
    '3\r\n',
    '0\r\n',
    ' ',
    'X:y\r\n',
    'Upgrade: websocket\r\n',
    '\0',
  )
  const text = fc.oneof(
    fc.array(part, { maxLength: 14 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary-ascii', maxLength: 200 }),
  )
  fc.assert(
    fc.property(text, (text) => {
      const found = whole(text)
      expect(text.startsWith(found.passed)).toBe(true)
      expect(bytewise(text)).toEqual(found)
      expect(found.passed.toLowerCase()).not.toContain('host: b.example\r\n\r\n')
    }),
    { numRuns: 5_000 },
  )
})

test('a head says where it ends', () => {
  expect(readRequestHead(Buffer.from(`${get}rest`))).toMatchObject({
    kind: 'head',
    bytes: get.length,
    head: { method: 'GET', framing: { kind: 'none' } },
  })
  expect(readRequestHead(Buffer.from(get.slice(0, -1)))).toEqual({ kind: 'need-more' })
})
