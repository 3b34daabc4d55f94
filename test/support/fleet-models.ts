import type { Who } from './cli.ts'
import { type FleetServer, startFleet } from './fleet-server.ts'
import type { Json } from './model-servers/json.ts'
import type { Conversation, Script, Step } from './model-servers/script.ts'
import { type ModelServer, startModelServer } from './model-servers/server.ts'

/** A fleet, and a model that runs the script named by the first word of its prompt. */
export interface ModelFleet extends AsyncDisposable {
  readonly fleet: FleetServer
  readonly models: ModelServer
  readonly scripts: Map<string, Script>
  /** Creates an agent of kind model that uses this model server; returns its id. */
  create(name: string, more?: Readonly<Record<string, unknown>>): Promise<string>
  /** Creates an agent of any kind. */
  createAny(manifest: Readonly<Record<string, unknown>>): Promise<string>
}

export async function startModelFleet(who: Who = 'user', envOf?: Parameters<typeof startFleet>[2]): Promise<ModelFleet> {
  const scripts = new Map<string, Script>()
  const models = await startModelServer({
    script: (conversation) => scripts.get(conversation.userTexts.at(-1)?.split(' ')[0] ?? '')?.(conversation) ?? { say: 'nothing to do' },
  })
  const fleet = await startFleet(who, [], envOf)
  const createAny = async (manifest: Readonly<Record<string, unknown>>): Promise<string> => {
    const { data, error } = await fleet.api.POST('/api/v1/agents', { body: { manifest: manifest as never } })
    if (data === undefined) throw new Error(JSON.stringify(error))
    return data.id
  }
  return {
    fleet,
    models,
    scripts,
    createAny,
    create: (name, more = {}) =>
      createAny({
        ...{ name, kind: 'model', provider: 'openai-compatible', baseUrl: `${models.url}/v1`, model: 'm', keyless: true },
        ...{ egress: { policy: 'off' }, ...more },
      }),
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      await models.close()
    },
  }
}

/** Returns a script that calls these tools one after the other, then says what they returned. */
export function calling(calls: readonly (readonly [string, Json])[]): (conversation: Conversation) => Step {
  return ({ toolResults }) => {
    const next = calls[toolResults.length]
    return next === undefined ? { say: toolResults.join('\n=====\n') } : { call: next[0], input: next[1] }
  }
}
