import { PaddockError } from '../../errors.ts'

/** The API of Discord, without a version. */
export const discordApi = 'https://discord.com/api'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the URL of the REST API, which gets the bot's token, without a slash at its end.
 * @throws PaddockError BAD_INPUT if it is neither https nor on this machine
 */
export function apiUrl(text: string = discordApi): string {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname))
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new PaddockError('BAD_INPUT', `fleet.discord.api: ${text} is not a URL of https, or of http on this machine.`, {
      hint: `Leave it out for ${discordApi}`,
    })
  return url.href.replace(/\/+$/, '')
}

/**
 * Returns whether a gateway may get the token of the bot: a gateway of Discord, or for another API, one on the API's host. Discord names
 * gateways in its answers, and a foreign host name must not get the token.
 */
export function isGateway(text: string, api: string): boolean {
  const [url, base] = [URL.parse(text), new URL(api)]
  if (url === null || url.username !== '' || url.password !== '') return false
  if (api === discordApi) return url.protocol === 'wss:' && /(?:^|\.)discord\.gg$/.test(url.hostname) && url.port === ''
  return url.hostname === base.hostname && (url.protocol === 'wss:' || (url.protocol === 'ws:' && loopback.test(url.hostname)))
}
