import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { heldLogin } from '../probe/held-login.ts'
import { webHost } from '../probe/web-host.ts'

/** Returns the text with every character escaped, alternately in the URL and the JSON form. */
const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte, at) => `${at % 2 === 0 ? '%' : '\\u00'}${byte.toString(16)}`).join('')

export const credentialEchoMasked: Guarantee = {
  id: 'credential-echo-masked',
  chapter: 'credentials',
  claim:
    'If an answer contains the credential from its request, the cell receives it with the credential overwritten. This covers fields, trailers and bodies; plain text, any characters escaped for URLs, JSON or HTML, hex and base64 (with or without line breaks); credentials split across chunks; and gzip, brotli, zstd and deflate.',
  mechanism:
    'The gateway searches every answer of a host that a credential is bound to. It decodes the content encoding first, and withholds answers with an encoding that it does not know.',
  kind: 'policy',
  why: 'Every byte of such an answer is searched before the cell gets it. Bytes that could be the start of the credential are held back until the next ones arrive.',
  fails: [
    'A host returns the credential in another form: reversed, encrypted, escaped twice, in a compressed file, or split over several messages or answers.',
    'Credentials shorter than 6 bytes are not searched for.',
  ],
  under: ['allowlist', 'public', 'open'],
  probe: async (bench) => {
    const codings = { identity: (text: Buffer) => text, gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync }
    using web = await webHost(bench, undefined, (request, response) => {
      const key = String(request.headers['x-api-key'] ?? '')
      const path = new URL(request.url ?? '/', 'https://x').pathname.slice(1)
      const bytes = Buffer.from(key)
      const lines = bytes.toString('base64').replace(/.{60}/g, '$&\n')
      const spelt = `${key} ${encodeURIComponent(key)} ${lines} ${bytes.toString('base64')} ${bytes.toString('hex')} ${escaped(key)}`
      if (path === 'pieces') {
        response.setHeader('x-echo', key)
        let at = 0
        const next = (): void => {
          if (at >= spelt.length) return void response.end()
          response.write(spelt.slice(at, at + 11))
          at += 11
          setTimeout(next, 2)
        }
        return next()
      }
      const code = codings[path as keyof typeof codings] ?? codings.identity
      response.setHeader('content-encoding', path)
      response.end(code(Buffer.from(`${'.'.repeat(70_000)}${spelt}`)))
    })
    const { real, placeholder, wishes } = heldLogin(bench, web)
    const paths = [...Object.keys(codings), 'pieces', 'unknown']
    const { result } = await bench.inside(
      async ({ https }, given) => {
        const ask = (path: string): Promise<string> =>
          new Promise((resolve) => {
            const request = https.get({ host: given.host, path: `/${path}`, headers: { 'x-api-key': given.key } }, (response) => {
              let said = `${response.statusCode} ${JSON.stringify(response.headers)}`
              response.on('data', (chunk) => {
                said += String(chunk)
              })
              response.on('end', () => resolve(said.replaceAll('.', '')))
              response.on('error', () => resolve(said))
            })
            request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
          })
        return Object.fromEntries(await Promise.all(given.paths.map(async (path) => [path, await ask(path)] as const)))
      },
      { host: web.name, key: placeholder.key, paths },
      { ...wishes, egress: bench.policy([{ host: web.name }]) },
    )
    const core = real.key.slice('sk-ant-api03-'.length)
    const words = [
      core,
      Buffer.from(core).toString('hex').slice(8, -8),
      Buffer.from(real.key).toString('base64').slice(8, -8),
      Buffer.from(real.key).toString('base64').slice(8, 58),
      escaped(real.key).slice(60, 100),
    ]
    const leaks = Object.entries(result).filter(([, said]) => words.some((word) => said.includes(word)))
    if (leaks.length > 0) return broken(`the credential came back into the cell: ${leaks.map(([path]) => path).join(', ')}`)
    const masked = Object.entries(result).filter(([, said]) => said.startsWith('200') && said.includes('*'.repeat(20)))
    if (masked.length < paths.length - 1 || web.arrived.some((each) => each.headers['x-api-key'] !== real.key))
      return broken(
        `the echoes did not arrive (${Object.values(result)
          .map((each) => each.slice(0, 20))
          .join(', ')}), so the probe is inconclusive`,
      )
    if (!String(result['unknown']).startsWith('502')) return broken('an answer that cannot be searched was passed on')
    return held(
      `echoes in six encodings, in a field, in chunks of 11 bytes, in gzip, brotli and zstd came back overwritten; one in an unknown encoding did not come back`,
    )
  },
}
