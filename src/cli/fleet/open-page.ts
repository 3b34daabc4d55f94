import { readFile } from 'node:fs/promises'
import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import type { Role } from '../../fleet/store/token-store.ts'
import { isLoopback } from '../../server/access/sites.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { say } from '../terminal/terminal-output.ts'
import { answered, connectServer, type ServerOptions } from './connect.ts'
import { fleetOf } from './data-option.ts'

/** `paddock open`: prints a link that logs a browser in. The link works once. */
export async function openPage(
  options: ServerOptions & { readonly role: Role; readonly name?: string; readonly qr?: boolean },
): Promise<Answer<Result<'open'>>> {
  const { role } = options
  const { link, expiresInSeconds } = await loginLink(options, role, options.name)
  if (options.qr === true) await showCode(link)
  return {
    data: { schemaVersion: 1, link, role, expiresInSeconds },
    lines: [link],
    notes: [`open it in a browser within ${expiresInSeconds / 60} minutes; it works once, with the rights of ${role}`],
  }
}

/** Prints a link as a QR code for a phone to standard error, so that a pipe gets only the link. */
async function showCode(link: string): Promise<void> {
  const { qrCode } = await import('../terminal/qr-code.ts')
  process.stderr.write(`${qrCode(link).join('\n')}\n`)
  const { hostname } = new URL(link)
  if (hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, '')))
    say(`other devices cannot reach ${hostname}; start the server with --public NAME, see docs/guide/serving.md#from-a-phone`)
}

/** Returns a link to the page of the running server. Its code is in the fragment, which browsers never send to a server. */
export async function loginLink(options: ServerOptions, role: Role, name?: string) {
  const client = connectServer(options)
  const { serverFile } = fleetOf(options.data, resolvePaths(process.env))
  const { pages } = JSON.parse(await readFile(serverFile, 'utf8')) as { readonly pages: string | null }
  if (pages === null)
    throw new PaddockError('CONFLICT', 'The server listens on no port, so no browser can reach it.', {
      hint: 'Start it with --listen 127.0.0.1:7878',
    })
  const { code, expiresInSeconds } = answered(await client.POST('/api/v1/login-links', { body: { role, name: name ?? null } }))
  return { link: `${pages}/login#${code}`, expiresInSeconds }
}
