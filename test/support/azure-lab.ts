import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type ConnectionOptions, createSecureContext, connect as tlsConnect } from 'node:tls'
import { ClientSecretCredential } from '@azure/identity'
import { connectingBy } from '../../src/credentials/azure/key-vault.ts'
import { makeIssuer } from '../../src/egress/inspect/tls/authority.ts'

const tenant = '11111111-2222-4333-8444-555555555555'
export const clientSecret = 'canary-client-secret-0123456789'

/** One answer of a server. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void

export const reply =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

export interface AzureLab extends AsyncDisposable {
  readonly agent: Agent
  readonly credential: ClientSecretCredential
  /** Every request as `METHOD host/path?query`, and whether it was authenticated. */
  readonly seen: string[]
  /** Names that the agent was asked to connect to. */
  readonly dialled: string[]
  readonly secrets: Map<string, Reply>
  /** The answer of the token endpoint. */
  token: Reply
  /** An answer to all requests of the vault; null: it answers normally. */
  vault: Reply | null
}

/** Starts the token endpoint of Entra ID and the Key Vault REST API on loopback, with a CA that only the lab's agent trusts. */
export async function openAzureLab(options: { readonly trusted?: boolean } = {}): Promise<AzureLab> {
  const issuer = makeIssuer(['*'])
  const contexts = new Map<string, ReturnType<typeof createSecureContext>>()
  const contextOf = (name: string): ReturnType<typeof createSecureContext> => {
    const context = contexts.get(name) ?? createSecureContext(issuer.issue(name))
    contexts.set(name, context)
    return context
  }
  const server = createServer({ SNICallback: (name, done) => done(null, contextOf(name)) }, (request, response) => {
    const host = request.headers.host ?? ''
    lab.seen.push(`${request.method} ${host}${request.url}${request.headers.authorization === undefined ? '' : ' signed'}`)
    request.resume()
    request.on('end', () => (host === 'login.example' ? entra(request, response) : keyVault(request, response)))
  })
  const entra: Reply = (request, response) => {
    if (request.url?.includes('/.well-known/') !== true) return lab.token(request, response)
    const base = `https://login.example/${tenant}`
    return reply(200, {
      issuer: `${base}/v2.0`,
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
    })(request, response)
  }
  const keyVault: Reply = (request, response) => {
    if (lab.vault !== null) return lab.vault(request, response)
    const host = request.headers.host ?? ''
    const suffix = host.slice(host.indexOf('.') + 1)
    if (request.headers.authorization !== 'Bearer canary-access-token')
      return reply(401, '', { 'www-authenticate': `Bearer authorization="https://login.example/${tenant}", resource="https://${suffix}"` })(
        request,
        response,
      )
    const [path = ''] = request.url?.split('?') ?? []
    const found = lab.secrets.get(path.replace(/\/$/, ''))
    return (found ?? reply(404, { error: { code: 'SecretNotFound', message: `A secret with (name/id) ${path} was not found` } }))(
      request,
      response,
    )
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  class LabAgent extends Agent {
    override createConnection(connection: ConnectionOptions & { servername?: string; host?: string }): ReturnType<typeof tlsConnect> {
      lab.dialled.push(`${connection.host}`)
      return tlsConnect({ ...connection, host: '127.0.0.1', port, ...(options.trusted === false ? {} : { ca: issuer.certificate }) })
    }
  }
  const agent = new LabAgent({ keepAlive: false })
  const lab: AzureLab = {
    agent,
    credential: new ClientSecretCredential(tenant, '66666666-7777-4888-8999-aaaaaaaaaaaa', clientSecret, {
      authorityHost: 'https://login.example',
      disableInstanceDiscovery: true,
      retryOptions: { maxRetries: 0 },
      additionalPolicies: [{ policy: connectingBy(agent), position: 'perCall' }],
    }),
    seen: [],
    dialled: [],
    secrets: new Map(),
    token: reply(200, { token_type: 'Bearer', expires_in: 3_600, access_token: 'canary-access-token' }),
    vault: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return lab
}

export function bundle(value: string, attributes: Record<string, unknown> = {}): Reply {
  return reply(200, { value, id: 'https://demo.vault.azure.net/secrets/x/0123', attributes: { enabled: true, ...attributes } })
}
