import type { IncomingMessage } from 'node:http'

/** About what a request costs while it waits: its head, and for each field what the strings and pairs of it take. */
export function sizeOf({ rawHeaders, url = '' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + 64, url.length + 1_024)
}
