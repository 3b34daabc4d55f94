import { pipeline, Transform, type TransformCallback } from 'node:stream'
import { SearchedStream } from '../../secrets/searched.ts'
import type { Search } from '../../secrets/spelled-words.ts'
import { RefusedError } from '../http/http-guard.ts'
import { valuesOf, without } from '../requests/fields.ts'
import type { OutboundResponse } from '../requests/outbound.ts'
import { decodersFor } from './decode.ts'
import type { CredentialKeeper } from './keeper.ts'
import { WithoutMembers } from './without-members.ts'

/** Overwrites the searched strings in a stream with as many asterisks. Bytes that cannot be part of one are passed on at once. */
export class MaskStream extends Transform {
  readonly #searched: SearchedStream

  constructor(finder: () => Search) {
    super()
    this.#searched = new SearchedStream(finder)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const out = this.#searched.mask(chunk)
    done(null, out.length > 0 ? out : undefined)
  }

  override _flush(done: TransformCallback): void {
    const rest = this.#searched.rest()
    done(null, rest.length > 0 ? rest : undefined)
  }
}

/**
 * Returns the answer of a host that received a credential, without that credential: in its reason phrase, its fields, its trailers and its
 * body, which is decoded for this.
 * @param hidden names of JSON members that are left out as well
 * @throws RefusedError if a content coding is not supported, because the content cannot be searched then.
 */
export function maskedResponse(
  response: OutboundResponse,
  method: string,
  keeper: CredentialKeeper,
  hidden: readonly string[],
): OutboundResponse {
  const codings = valuesOf(response.headers, 'content-encoding')
  const bodiless = method === 'HEAD' || response.status === 204 || response.status === 304
  const decoders = bodiless ? [] : decodersFor(codings)
  if (decoders === null)
    throw new RefusedError({
      reason: 'unreadable-answer',
      detail: `the response is encoded as ${codings.join(', ').slice(0, 60)}, so it cannot be searched for the credential`,
    })
  const leaving = bodiless || hidden.length === 0 || response.status >= 300 ? [] : [new WithoutMembers(hidden)]
  const changes = [...decoders, ...leaving]
  const headers = changes.length === 0 ? response.headers : without(response.headers, 'content-encoding', 'content-length', 'content-md5')
  const mask = new MaskStream(() => keeper.secrets())
  // A failure destroys the last stream, so its reader learns that the answer is incomplete.
  pipeline([response.body, ...changes, mask], () => {})
  return {
    ...response,
    message: keeper.maskText(response.message),
    headers: keeper.maskFields(headers),
    body: mask,
    trailers: () => keeper.maskFields(response.trailers()),
  }
}
