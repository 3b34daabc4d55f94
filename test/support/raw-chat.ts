import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A tool call whose arguments are sent as they are, also if they are not JSON. */
export interface RawCall {
  readonly tool: string
  readonly given: string
}

/** Starts an openai-compatible endpoint that makes these calls, one answer after the other, and then says `done`. All calls have the same ids. */
export async function rawChat(answers: readonly (readonly RawCall[])[]) {
  const bodies: { readonly messages: readonly Record<string, unknown>[] }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const calls = answers[bodies.length]
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
    const send = (delta: object, finish: string | null = null): void => {
      const choices = [{ index: 0, delta, finish_reason: finish }]
      response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (calls === undefined) send({ content: 'done' })
    for (const [index, { tool, given }] of (calls ?? []).entries())
      send({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: tool, arguments: given } }] })
    send({}, calls === undefined ? 'stop' : 'tool_calls')
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Returns the messages of one request, counted from 0. */
    messages: (request: number) => bodies[request]?.messages ?? [],
  }
}
