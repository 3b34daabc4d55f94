import { HeadAndTail } from './runner-output.ts'

const mostRedirects = 3

export interface HttpInput {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends one request out of the cell, and follows up to three redirects, which also go through the gateway of the cell. */
export async function http(input: HttpInput, signal: AbortSignal): Promise<string> {
  let url = webUrl(input.url)
  let { method = 'GET', headers = {}, body } = input
  for (let redirects = 0; ; redirects++) {
    const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }), redirect: 'manual', signal }).catch(reason)
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status > 399 || location === null) return await textOf(answer)
    await answer.body?.cancel()
    if (redirects === mostRedirects) throw new Error(`It redirects more than ${mostRedirects} times, last to ${location}.`)
    const next = webUrl(new URL(location, url).href)
    // Like browsers (Fetch §4.4): another origin gets no credential, and a changed method no body.
    if (next.origin !== url.origin) headers = withoutCredentials(headers)
    if (answer.status === 303 || (method === 'POST' && (answer.status === 301 || answer.status === 302)))
      [method, body] = ['GET', undefined]
    url = next
  }
}

function webUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new Error(`${text} is not a URL of http or https.`)
  return url
}

/** Throws the cause of a `fetch` error, which contains the details. */
function reason(error: unknown): never {
  const { cause, message } = error as Error
  throw new Error(cause instanceof Error ? `${message}: ${cause.message}` : message)
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:authorization|cookie|proxy-authorization)$/i.test(name)))
}

async function textOf(answer: Response): Promise<string> {
  const kept = new HeadAndTail()
  for await (const chunk of answer.body ?? []) kept.add(Buffer.from(chunk))
  const shown = ['content-type', 'content-length', 'location', 'retry-after'].flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  return [`${answer.status} ${answer.statusText}`, ...shown, '', kept.text()].join('\n')
}
