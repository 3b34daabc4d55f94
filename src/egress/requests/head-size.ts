import type { IncomingMessage } from 'node:http'

/** Returns the approximate memory of a waiting request in bytes: its head, and the strings and pairs of each field. */
export function sizeOf({ rawHeaders, url = '' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + 64, url.length + 1_024)
}
