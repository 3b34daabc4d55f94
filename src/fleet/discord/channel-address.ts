import { PaddockError } from '../../base/errors.ts'

/** The URL of Discord's API, without a version. */
export const discordApi = 'https://discord.com/api'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the URL of the REST API, which receives the bot's token, without a trailing slash.
 * @throws PaddockError BAD_INPUT if the URL is neither https nor on this machine
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
 * Returns whether a gateway may receive the bot's token: a gateway of Discord, or for another API, one on the API's host. Discord names
 * gateways in its answers, and a foreign host name must not get the token.
 */
export function isGateway(text: string, api: string): boolean {
  const [url, base] = [URL.parse(text), new URL(api)]
  if (url === null || url.username !== '' || url.password !== '') return false
  if (api === discordApi) return url.protocol === 'wss:' && /(?:^|\.)discord\.gg$/.test(url.hostname) && url.port === ''
  return url.hostname === base.hostname && (url.protocol === 'wss:' || (url.protocol === 'ws:' && loopback.test(url.hostname)))
}
