import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropic } from './anthropic.ts'
import type { Dialect, Turn } from './dialect.ts'
import { gemini } from './gemini.ts'
import type { Json } from './json.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { type Conversation, countUsage, type Script, type Step } from './script.ts'
import { shellCall } from './shell-tool.ts'
import { readBody, sendJson } from './wire.ts'

/** One received request, for assertions. */
interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly model: string | null
  /** True if the request had an Authorization, x-api-key or x-goog-api-key header, or a `key` in the query. */
  readonly authenticated: boolean
  readonly body: string
  /** Null for model lists, token counts and unknown paths. */
  readonly conversation: Conversation | null
  readonly step: Step | null
}

export interface ModelServer {
  readonly port: number
  /** `http://host:port`, without a path. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

const dialects: readonly Dialect[] = [anthropic, openaiResponses, openaiChat, gemini]
/** The maximum number of recorded requests; older ones are dropped. */
const keptRequests = 10_000

/**
 * Starts a local model that speaks the APIs of all vendors at once (distinguished by path) and follows its script.
 * Listens on loopback and a free port by default.
 */
export async function startModelServer(options: { script: Script; port?: number; host?: string }): Promise<ModelServer> {
  const requests: RecordedRequest[] = []
  let serial = 0
  const server = createServer((request, response) => {
    serial += 1
    serve(request, response, options.script, serial)
      .then((record) => {
        requests.push(record)
        if (requests.length > keptRequests) requests.shift()
      })
      .catch((thrown: unknown) => {
        if (response.headersSent) response.destroy()
        else sendJson(response, 500, { error: { message: String(thrown) } })
      })
  })
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, script: Script, serial: number): Promise<RecordedRequest> {
  const url = new URL(request.url ?? '/', 'http://model.invalid')
  const method = request.method ?? 'GET'
  const body = await readBody(request)
  const asked = parse(body)
  const headers = request.headers
  const authenticated = Boolean(
    headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'] ?? url.searchParams.get('key') ?? undefined,
  )
  const record = { method, path: url.pathname, body, model: null, authenticated, conversation: null, step: null }
  const dialect = method === 'POST' ? dialects.find((each) => each.speaks(url.pathname)) : undefined
  if (dialect === undefined) {
    answerAside(method, url.pathname, asked, response)
    return record
  }
  const conversation = { ...dialect.read(url.pathname, asked), authenticated }
  const step = await script(conversation)
  if ('fail' in step) {
    if (step.fail === 'hang-up') request.socket.destroy()
    else dialect.refuse(step.fail, response, step.resetsInSeconds ?? 3600)
  } else {
    const turn = turnOf(step, dialect, asked, serial)
    const answer = turn.kind === 'text' ? turn.text : JSON.stringify(turn.input)
    const usage = countUsage(Buffer.byteLength(body), conversation, answer)
    dialect.answer({ path: url.pathname, asked, conversation, turn, usage, serial }, response)
  }
  return { ...record, model: conversation.model, conversation, step }
}

function turnOf(step: Exclude<Step, { fail: unknown }>, dialect: Dialect, asked: Json, serial: number): Turn {
  const wished = dialect.wished(asked)
  if (wished !== null) return { kind: 'text', text: wished }
  if ('call' in step) return { kind: 'call', id: `call_${serial}`, tool: step.call, input: step.input }
  if ('say' in step) return { kind: 'text', text: step.say }
  return shellCall(step.run, dialect.tools(asked), `call_${serial}`) ?? { kind: 'text', text: 'There is no shell to run a command in.' }
}

function answerAside(method: string, path: string, asked: Json, response: ServerResponse): void {
  for (const dialect of dialects) {
    const body = dialect.aside(method, path, asked)
    if (body !== null) {
      sendJson(response, 200, body)
      return
    }
  }
  if (method === 'GET' && path.endsWith('/models')) sendJson(response, 200, { object: 'list', data: [], models: [], has_more: false })
  else sendJson(response, 404, { error: { type: 'not_found_error', message: `no ${method} ${path} here`, code: 404 } })
}

function parse(body: string): Json {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
