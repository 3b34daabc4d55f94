import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '../../../src/secrets/secret.ts'
import { once1, say } from '../../support/inspect-clients.ts'
import { https1, openInspectLab } from '../../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

/** A secret with the characters that JSON, HTML and URLs escape, and long enough for two lines of base64. */
const real = 'sk-real-canary-of-the-host/0123456789+abc=&<def>"ghi\'jklmnopqrstuvwxyz_ABCDEFGHIJKLMNOP'
const placeholder = 'sk-standinstandinstandinstandin'
const hex = Buffer.from(real).toString('hex')
const each = (write: (code: string, character: string, at: number) => string) =>
  [...real].map((character, at) => write(character.charCodeAt(0).toString(16).padStart(2, '0'), character, at)).join('')
const unsafe = (character: string) => /[^A-Za-z0-9_-]/.test(character)
const lines = (width: number, end: string) =>
  Buffer.from(`${'{"user":"x","token":"'}${real}"}`)
    .toString('base64')
    .replace(new RegExp(`.{${width}}`, 'g'), `$&${end}`)

const spellings: Readonly<Record<string, string>> = {
  'percent-encoding of every character': each((code) => `%${code}`),
  'percent-encoding of every character in capitals': each((code) => `%${code.toUpperCase()}`),
  'one superfluous percent escape': real.replace('canary', 'c%61nary'),
  'JSON with \\u002B': each((code, character) => (unsafe(character) ? `\\u00${code.toUpperCase()}` : character)),
  'JSON with \\u002b': each((code, character) => (unsafe(character) ? `\\u00${code}` : character)),
  'JSON with \\u of every character': each((code) => `\\u00${code}`),
  'HTML with &#47;': each((code, character) => (unsafe(character) ? `&#${Number.parseInt(code, 16)};` : character)),
  'HTML with &#x2F;': each((code, character) => (unsafe(character) ? `&#x${code.toUpperCase()};` : character)),
  'HTML with names': real
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
    .replaceAll('/', '&sol;')
    .replaceAll('+', '&plus;')
    .replaceAll('=', '&equals;'),
  'all escapes by turns': each(
    (code, _, at) =>
      [`%${code}`, `\\u00${code}`, `&#${Number.parseInt(code, 16)};`, `&#x${code};`, String.fromCharCode(Number.parseInt(code, 16))][
        at % 5
      ] ?? '',
  ),
  'base64 in lines of 60': lines(60, '\n'),
  'base64 in lines of 76': lines(76, '\r\n'),
  'base64 in lines of 64, indented': lines(64, '\n    '),
  'base64 in lines of 60, as JSON has them': lines(60, '\\n'),
  'hex with colons': hex.replace(/..(?!$)/g, '$&:'),
  'hex with colons in capitals': hex.toUpperCase().replace(/..(?!$)/g, '$&:'),
  'hex with blanks': hex.replace(/..(?!$)/g, '$& '),
}

/** Returns what remains of an echo when its escapes are undone in a simple way. */
function legible(body: string): string {
  const plain = body
    .replace(/\\n|\s/g, '')
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\u00([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  const coded = Buffer.from(plain.replace(/[^A-Za-z0-9+/]/g, ''), 'base64').toString('latin1')
  return `${plain} ${coded} ${Buffer.from(plain.replace(/[^0-9a-f]/gi, ''), 'hex').toString('latin1')}`
}

test.each(Object.keys(spellings))('B5: an echo of the credential in %s is overwritten, in one piece and byte by byte', async (spelling) => {
  await using lab = await openInspectLab(network, [], {
    credentials: [
      {
        name: 'THE_KEY',
        hosts: [{ host: 'a.example', port: 443, tls: true, paths: ['/v1/**'] }],
        places: [{ kind: 'header', name: 'x-api-key' }],
        placeholders: () => [placeholder],
        secret: async () => Secret.fromText('THE_KEY', real),
      },
    ],
  })
  const echo = spellings[spelling] ?? ''
  expect(legible(echo)).toMatch(/canary|can&/)
  await lab.upstream(
    443,
    https1(async (request, response) => {
      if (request.url === '/v1/whole') return void response.end(`before <${echo}> after`)
      for (const byte of `before <${echo}> after`) {
        response.write(byte)
        await turn()
      }
      response.end()
    }),
  )
  for (const path of ['/v1/whole', '/v1/bytes']) {
    const answer = await once1(lab, say(`GET ${path}`, `X-Api-Key: ${placeholder}`))
    const body =
      path === '/v1/whole'
        ? answer.slice(answer.indexOf('\r\n\r\n'))
        : answer.slice(answer.indexOf('\r\n\r\n')).replace(/\r\n[0-9a-f]+\r\n(.)(?=\r\n)/gs, '$1')
    expect(body).toMatch(/\*{40}/)
    expect(legible(body)).not.toMatch(/canary|0123456789|mnopqrst|KLMNOP/)
  }
})
