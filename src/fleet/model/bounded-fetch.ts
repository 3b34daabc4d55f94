import { outFetch } from '../../egress/upstream/out-fetch.ts'

/** The largest answer of a model in bytes, and the longest time for an answer in milliseconds. */
const [mostAnswerBytes, usualMs] = [8 * 1024 * 1024, 30 * 60_000]

/** An error for an unusable answer of an endpoint. */
export class BadAnswer extends Error {}

/**
 * Returns a `fetch` for the endpoint of a model. It refuses redirects, which could send the key elsewhere, and cuts off an answer that is
 * too large or takes longer than `mostMs` milliseconds. `without`: headers that are not sent.
 */
export function boundedFetch(without: readonly string[], mostMs = usualMs): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    for (const each of without) headers.delete(each)
    const late = new AbortController()
    const why = new BadAnswer(`it did not finish its answer within ${mostMs < 60_000 ? `${mostMs / 1_000} s` : `${mostMs / 60_000} min`}`)
    setTimeout(() => late.abort(why), mostMs).unref()
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal
    const answer = await outFetch(input, { ...init, headers, redirect: 'manual', signal })
    const { body, ok, status, statusText } = answer
    if (status >= 300 && status < 400) throw new BadAnswer('it redirects, and redirects are refused')
    if (body === null && ok) throw new BadAnswer('its answer is empty')
    return new Response(body?.pipeThrough(bounded()) ?? null, { status, statusText, headers: answer.headers })
  }
}

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > mostAnswerBytes) controller.error(new BadAnswer(`its answer is larger than ${mostAnswerBytes / 1024 / 1024} MiB`))
      else controller.enqueue(chunk)
    },
  })
}
