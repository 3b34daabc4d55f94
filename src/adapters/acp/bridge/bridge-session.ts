import {
  type AuthMethod,
  type ClientContext,
  type InitializeRequest,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type McpServer as SessionServer,
} from '@agentclientprotocol/sdk'
import { headersFor, type McpServer } from '../../mcp-server.ts'
import type { BridgeOrder } from './bridge-protocol.ts'
import { objectOf } from './bridge-updates.ts'

/** Opens a session without any client capabilities: no files, no terminals. Returns the session's ID. */
export async function openSession(context: ClientContext, { cwd, model, mcp }: BridgeOrder): Promise<string> {
  const about: InitializeRequest = {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {},
    clientInfo: { name: 'paddock', version: '1' },
  }
  const { authMethods = [], agentCapabilities } = await context.request(methods.agent.initialize, about)
  const remote = mcp.find((each) => 'url' in each)
  if (remote !== undefined && agentCapabilities?.mcpCapabilities?.http !== true)
    throw new Error(`The agent takes no MCP servers over HTTP, such as ${remote.name}.`)
  const open = () => context.request(methods.agent.session.new, { cwd, mcpServers: mcp.map(inSession) })
  const session = await open().catch(async (error: unknown) => {
    const byKey = authMethods.find(takesKey)
    if (!(error instanceof RequestError && error.code === -32_000) || byKey === undefined) throw error
    await context.request(methods.agent.authenticate, { methodId: byKey.id })
    return await open()
  })
  if (model !== null) await choose(context, session, model)
  return session.sessionId
}

/** Returns a server in the form of the protocol. Its headers get the variables of this process. */
function inSession(server: McpServer): SessionServer {
  const pairs = (map: Readonly<Record<string, string>>) => Object.entries(map).map(([name, value]) => ({ name, value }))
  if ('url' in server) {
    const headers = headersFor(server.headers, (name) => process.env[name] ?? '')
    return { type: 'http', name: server.name, url: server.url, headers: pairs(headers) }
  }
  const [command = '', ...args] = server.command
  return { name: server.name, command, args, env: pairs(server.env ?? {}) }
}

/** Returns true for a method that uses a key from the environment. Other methods would wait for a user. */
function takesKey(method: AuthMethod): boolean {
  return !('type' in method && method.type === 'terminal') && /api-?key/i.test(method.id)
}

/** Selects a model. Agents offer their models as an option of the session, or in an older way. */
async function choose(context: ClientContext, session: unknown, model: string): Promise<void> {
  const { sessionId, configOptions, models } = objectOf(session)
  const option = (Array.isArray(configOptions) ? configOptions.map(objectOf) : []).find(({ category }) => category === 'model')
  const asked = { sessionId: String(sessionId) }
  if (option !== undefined) {
    const given = { ...asked, configId: String(option['id']), value: model }
    await context.request(methods.agent.session.setConfigOption, given)
  } else if (models !== undefined) await context.request('session/set_model', { ...asked, modelId: model })
  else throw new Error(`The agent offers no choice of models, so it cannot use ${model}. Name it in the command, if it can be named there.`)
}
