import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Script } from './model-servers/script.ts'
import { startModelServer } from './model-servers/server.ts'

export interface RecordedModels {
  /** The requests so far, with their bodies. */
  readonly seen: readonly { readonly headers: IncomingHttpHeaders; readonly body: Record<string, unknown> }[]
  /** The base URL for all providers. */
  readonly url: string
}

/** Starts a scripted model that records the whole of each request, and ends with the test. `altered` changes the body of each answer. */
export async function recordedModels(script: Script, altered = (body: string): string => body): Promise<RecordedModels> {
  const models = await startModelServer({ script })
  const seen: RecordedModels['seen'][number][] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    seen.push({ headers: request.headers, body: JSON.parse(body) })
    const answer = await fetch(`${models.url}${request.url}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(altered(await answer.text()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await models.close()
  })
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}
