import type { Readable } from 'node:stream'
import type { TokenEndpoint } from './credential.ts'

const maxBody = 64 * 1_024

/** Answers a cell that wants to renew its placeholder. Reads the body to its end, for at most one minute. */
export async function answerRenewal(body: Readable, endpoint: TokenEndpoint): Promise<{ readonly status: number; readonly json: unknown }> {
  const wrong = (description: string) => ({ status: 400, json: { error: 'invalid_request', error_description: description } })
  const late = setTimeout(() => body.destroy(new Error('late')), 60_000).unref()
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body) {
      size += (chunk as Buffer).length
      if (size > maxBody) return wrong('the body is too large')
      chunks.push(chunk as Buffer)
    }
    return endpoint.answer(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return wrong('the body could not be read')
  } finally {
    clearTimeout(late)
  }
}
