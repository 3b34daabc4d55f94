import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createSecureContext } from 'node:tls'
import { createZstdDecompress } from 'node:zlib'
import { connectTcp, type Target } from '../../src/egress/connection/dial.ts'
import type { ResolvedAddress, Resolver } from '../../src/egress/dns/resolver.ts'
import { makeIssuer } from '../../src/egress/inspect/tls/authority.ts'

/** A request that a vendor's host received. */
export interface Told {
  readonly host: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export interface Vendors extends AsyncDisposable {
  readonly told: readonly Told[]
  /** The CA of the hosts, PEM. */
  readonly ca: string
  readonly resolver: Resolver
  readonly connect: (target: Target, signal: AbortSignal) => ReturnType<typeof connectTcp>
}

/** Answers of Google's Code Assist to setup requests, by the last word of the path. */
const codeAssistAsides: Readonly<Record<string, object>> = {
  loadCodeAssist: { currentTier: { id: 'standard-tier', name: 'Standard' }, cloudaicompanionProject: 'a-project' },
  onboardUser: { done: true, response: { cloudaicompanionProject: { id: 'a-project' } } },
}

/** Google's Code Assist in front of a model with the Gemini API. Requests and answers have an extra wrapper. */
async function codeAssist(request: IncomingMessage, response: ServerResponse, modelPort: number): Promise<void> {
  const word = /:(\w+)/.exec(request.url ?? '')?.[1] ?? ''
  const body = await text(request)
  if (word !== 'streamGenerateContent' && word !== 'generateContent') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(codeAssistAsides[word] ?? {}))
    return
  }
  const { model, request: inner } = JSON.parse(body) as { model: string; request: object }
  const stream = word === 'streamGenerateContent'
  const url = `http://127.0.0.1:${modelPort}/v1beta/models/${model}:${word}${stream ? '?alt=sse' : ''}`
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(inner),
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'x' },
  })
  const said = await answer.text()
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/json',
    'x-echo': JSON.stringify(request.headers),
  })
  response.end(stream ? said.replace(/^data: (.*)$/gm, (_line, data: string) => `data: {"response":${data}}`) : `{"response":${said}}`)
}

const account = { id: 'account', structure: 'personal', plan_type: 'plus', is_deactivated: false, can_access_with_session: true }
/** The answer in which ChatGPT tells codex the backend of its account. */
const accounts = {
  accounts: [
    {
      ...account,
      is_fedramp_compliant_workspace: false,
      workspace_backend_origin: 'NO_CONSTRAINT',
      account_routing_override: 'NO_CONSTRAINT',
    },
  ],
  default_account_id: 'account',
  account_ordering: ['account'],
}

/**
 * Starts the hosts of all vendors, with TLS and a CA of the test, in front of a local model. Requests without the real credential are
 * refused as by the vendor.
 * @param knows returns true for a request that contains the real credential
 */
export async function openVendors(modelPort: number, knows: (told: Told) => boolean): Promise<Vendors> {
  const issuer = makeIssuer(['*'])
  const told: Told[] = []
  const server = createServer(
    {
      ...issuer.issue('vendor.test'),
      SNICallback: (name, done) => done(null, createSecureContext(issuer.issue(name))),
      ALPNProtocols: ['http/1.1'],
    },
    (request, response) => {
      const seen: Told = {
        host: request.headers.host ?? '',
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
      }
      told.push(seen)
      if (!knows(seen)) {
        request.resume()
        const error = { type: 'authentication_error', message: 'invalid key', code: 401, status: 'UNAUTHENTICATED' }
        response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }))
        return
      }
      if (seen.path.endsWith('/wham/accounts/check')) {
        request.resume()
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(accounts))
        return
      }
      if (seen.path.startsWith('/tokeninfo')) {
        request.resume()
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ expires_in: 3_000, scope: 'x' }))
        return
      }
      if (seen.host === 'cloudcode-pa.googleapis.com') {
        codeAssist(request, response, modelPort).catch(() => response.destroy())
        return
      }
      // An echo like that of a vendor's debugging page. Nothing of it may come back.
      const echo = { 'x-echo': JSON.stringify(request.headers) }
      const { 'content-encoding': coding, 'content-length': length, ...headers } = request.headers
      const plain = { ...headers, ...(coding === undefined && length !== undefined ? { 'content-length': length } : {}) }
      const inner = httpRequest({ port: modelPort, method: request.method, path: request.url, headers: plain }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...echo })
        answer.pipe(response)
      })
      inner.on('error', () => response.destroy())
      if (coding === 'zstd') request.pipe(createZstdDecompress()).pipe(inner)
      else request.pipe(inner)
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const address: ResolvedAddress = { address: '93.184.216.34', family: 4 }
  return {
    told,
    ca: issuer.certificate,
    resolver: { resolve: async () => [address] },
    connect: (_target, signal) => connectTcp({ address: '127.0.0.1', family: 4, port }, signal),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
