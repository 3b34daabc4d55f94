import ipaddr from 'ipaddr.js'
import { PaddockError } from '../../errors.ts'

/**
 * Returns the proxies whose forwarded addresses count, in Fastify's form: addresses, or ranges such as `10.0.0.0/8`.
 * @throws PaddockError BAD_INPUT
 */
export function trustedProxies(list: readonly string[]): string[] | false {
  for (const each of list)
    if (!ipaddr.isValid(each) && !ipaddr.isValidCIDR(each))
      throw new PaddockError('BAD_INPUT', `--trust-proxy ${each}: this is not an address or a range of addresses.`, {
        hint: 'Give the address of the proxy, for example --trust-proxy 10.0.0.5',
      })
  return list.length === 0 ? false : [...list]
}
