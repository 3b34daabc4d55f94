import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
}
const maxCodings = 3

/**
 * Returns the decoders for the content codings of a message (RFC 9110, section 8.4), outermost first. Null if a coding is not
 * supported.
 */
export function decodersFor(values: readonly string[]): readonly Transform[] | null {
  const codings = values
    .flatMap((each) => each.split(','))
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity')
  if (codings.length > maxCodings || codings.some((each) => !Object.hasOwn(decoders, each))) return null
  return codings.toReversed().flatMap((each) => decoders[each]?.() ?? [])
}
