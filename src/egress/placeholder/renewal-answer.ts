import type { Readable } from 'node:stream'
import type { TokenAnswer, TokenEndpoint } from './credential.ts'

const maxBody = 64 * 1_024

/** Answers a cell that wants to renew its credential. Reads the body to its end, for at most one minute. */
export async function answerRenewal(body: Readable, endpoint: TokenEndpoint): Promise<TokenAnswer> {
  const read = await bodyOf(body)
  return 'text' in read ? endpoint.answer(read.text) : tokenError('invalid_request', read.fault)
}

/** Returns an error of a token endpoint (RFC 6749, section 5.2). `description` is for people. */
export function tokenError(error: 'invalid_request' | 'invalid_grant' | 'temporarily_unavailable', description: string): TokenAnswer {
  return { status: error === 'temporarily_unavailable' ? 503 : 400, json: { error, error_description: description } }
}

async function bodyOf(body: Readable): Promise<{ readonly text: string } | { readonly fault: string }> {
  const late = setTimeout(() => body.destroy(new Error('late')), 60_000).unref()
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body) {
      size += (chunk as Buffer).length
      if (size > maxBody) return { fault: 'the body is too large' }
      chunks.push(chunk as Buffer)
    }
    return { text: Buffer.concat(chunks).toString('utf8') }
  } catch {
    return { fault: 'the body could not be read' }
  } finally {
    clearTimeout(late)
  }
}
