import type { Inside } from './inside.ts'

export interface Sending {
  readonly host: string
  /** Texts by name. Each is written on a separate connection. */
  readonly texts: Readonly<Record<string, string>>
}

/** Writes each text on a TLS connection to the host. Returns the first line of each answer, or how it ended. Runs in the cell. */
export async function sendAll({ tls }: Inside, given: Sending): Promise<Record<string, string>> {
  const send = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let got = ''
      const socket = tls.connect({ host: given.host, port: 443, servername: given.host }, () => socket.write(text, 'latin1'))
      socket.setTimeout(4000, () => socket.destroy())
      socket.on('data', (chunk) => {
        got += String(chunk)
      })
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      socket.once('close', () => resolve(got === '' ? 'closed' : (got.match(/HTTP\/1\.1 \d+/g) ?? [got.slice(0, 20)]).join(' ')))
    })
  const told = await Promise.all(Object.entries(given.texts).map(async ([name, text]) => [name, await send(text)] as const))
  return Object.fromEntries(told)
}
