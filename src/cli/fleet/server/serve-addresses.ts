import { renameSync, statSync, writeFileSync } from 'node:fs'
import { PaddockError } from '../../../base/errors.ts'
import type { Listening } from '../../../server/listen.ts'
import { say } from '../../terminal/terminal-output.ts'

export interface ServeOptions {
  readonly data?: string
  readonly listen: string
  readonly public: readonly string[]
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsProxy?: boolean
  readonly readyFile?: string
  readonly onStop: 'leave' | 'wait' | 'cancel'
  readonly maxPrompt: string
  readonly log: 'error' | 'warn' | 'info' | 'debug'
}

/** Returns the addresses at which programs reach the server. */
export const addressesOf = ({ url, socket }: Listening) => ({ url, socket, pid: process.pid })

/** Returns the address of the page for a browser; null if the page has no address. */
export function pagesOf({ url }: Listening, { public: names }: ServeOptions): string | null {
  const [name] = names
  return name === undefined ? (url?.replace(/\/$/, '') ?? null) : `https://${name.replace(/:443$/, '')}`
}

/** Returns every address of the page. */
export function addressesOfPages({ url }: Listening, { public: names }: ServeOptions): readonly string[] {
  return [...(url === null ? [] : [url.replace(/\/$/, '')]), ...names.map((name) => `https://${name.replace(/:443$/, '')}`)]
}

/** Reports that the server is up, on standard error and in the ready file. */
export function announce(listening: Listening, { readyFile }: ServeOptions): void {
  const { url, socket } = listening
  say(`the server is at ${url ?? socket}; to stop it: Ctrl-C, or kill ${process.pid}`)
  if (readyFile !== undefined) writeReady(readyFile, `${JSON.stringify(addressesOf(listening))}\n`)
}

/** Writes a file atomically, so that a program that waits for it reads its whole content. Writes directly to a pipe or a terminal. */
function writeReady(file: string, text: string): void {
  const there = statSync(file, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile()) return writeFileSync(file, text)
  const whole = `${file}.${process.pid}`
  writeFileSync(whole, text, { mode: 0o600 })
  renameSync(whole, file)
}

/** Parses the address to listen on. @throws PaddockError `BAD_INPUT` */
export async function listenWish(options: ServeOptions) {
  const found = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(options.listen)
  const [host, port] = [found?.[1] ?? found?.[2], Number(found?.[3])]
  if (host === undefined || port > 65_535)
    throw new PaddockError('BAD_INPUT', `--listen ${options.listen} is not an address and a port.`, {
      hint: 'For example --listen 127.0.0.1:7878',
    })
  const { tlsCert, tlsKey } = options
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new PaddockError('BAD_INPUT', '--tls-cert and --tls-key need each other.', { hint: 'Give both' })
  const { readFile } = await import('node:fs/promises')
  const tls =
    tlsCert === undefined || tlsKey === undefined
      ? {}
      : { tls: { cert: await readFile(tlsCert, 'utf8'), key: await readFile(tlsKey, 'utf8') } }
  return { tcp: { host, port }, public: options.public, ...tls, tlsProxy: options.tlsProxy === true }
}
