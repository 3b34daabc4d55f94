import { PaddockError } from '../../base/errors.ts'
import { isGateway } from './channel-address.ts'
import { type GatewayDeps, openGateway } from './discord-gateway.ts'
import { readySchema } from './gateway-frames.ts'
import { discordRest } from './rest.ts'
import type { DiscordRest, RestTrouble } from './rest-trouble.ts'
import { waitAfter } from './waits.ts'

// The library is loaded only through this file, which is imported when a bot connects: a server without a bot never loads it.

/** Returns the bot that a token belongs to. @throws PaddockError BAD_INPUT if Discord refuses it, CREDENTIAL_FAILED without an answer */
export async function whoIs(token: string, api: string): Promise<{ readonly id: string; readonly name: string }> {
  using rest = discordRest(token, api)
  try {
    return await rest.me()
  } catch (error) {
    const { kind, message } = error as RestTrouble
    if (kind === 'token')
      throw new PaddockError('BAD_INPUT', 'Discord refuses this token.', { hint: 'Make a new one in the developer portal, under Bot' })
    throw new PaddockError('CREDENTIAL_FAILED', message, { hint: 'Try again, or look at the network of this machine' })
  }
}

export interface LinkDeps extends Pick<GatewayDeps, 'token' | 'session' | 'remember' | 'onState'> {
  readonly api: string
  readonly onMessage: (message: unknown) => Promise<void>
}

/** A connection to Discord in both directions. */
export interface Link extends AsyncDisposable {
  readonly rest: DiscordRest
}

/** Opens the REST API and, once the API has returned its URL, the gateway. */
export function openLink({ token, api, session, remember, onMessage, onState }: LinkDeps): Link {
  const rest = discordRest(token, api)
  const closing = new AbortController()
  let gateway: AsyncDisposable | null = null
  const place = async (): Promise<string | null> => {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      await waitAfter(failures, closing.signal)
      try {
        const url = await rest.gateway()
        if (isGateway(url, api)) return url
        onState('connecting', { problem: 'Discord names a gateway that is not its own.', fresh: false })
      } catch (error) {
        const { message, kind, retryAfter } = error as RestTrouble
        if (kind === 'token') {
          onState('broken', { problem: `${message} Make a new one, and run: paddock discord connect`, fresh: false })
          return null
        }
        onState('connecting', { problem: message, fresh: false })
        if (retryAfter !== null) await waitAfter(Number.MAX_SAFE_INTEGER, closing.signal)
      }
    }
    return null
  }
  const opening = place().then((url) => {
    if (url === null || closing.signal.aborted) return
    gateway = openGateway({
      ...{ token, url, session, remember, onState },
      isGateway: (other) => isGateway(other, api),
      async onDispatch(name, data) {
        if (name === 'MESSAGE_CREATE') await onMessage(data)
        else if (name === 'READY') readySchema.parse(data)
      },
    })
  })
  return {
    rest,
    async [Symbol.asyncDispose]() {
      closing.abort()
      await opening
      await gateway?.[Symbol.asyncDispose]()
      rest[Symbol.dispose]()
    },
  }
}
