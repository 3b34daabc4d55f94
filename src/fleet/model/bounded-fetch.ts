/** The largest answer of a model in bytes, and the longest time for an answer in milliseconds. */
const mostAnswerBytes = 8 * 1024 * 1024
const mostMs = 30 * 60_000

/** An error for an unusable answer of an endpoint. */
export class BadAnswer extends Error {}

/**
 * Returns a `fetch` for the endpoint of a model. It refuses redirects, which could send the key elsewhere, and cuts off an answer that is
 * too large. `without`: headers that are not sent.
 */
export function boundedFetch(without: readonly string[]): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    for (const each of without) headers.delete(each)
    const time = AbortSignal.timeout(mostMs)
    const signal = init.signal ? AbortSignal.any([init.signal, time]) : time
    const answer = await fetch(input, { ...init, headers, redirect: 'error', signal })
    if (answer.body === null) return answer
    const { status, statusText } = answer
    return new Response(answer.body.pipeThrough(bounded()), { status, statusText, headers: answer.headers })
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
