import ipaddr from 'ipaddr.js'
import { PaddockError } from '../../base/errors.ts'

/**
 * Parses a range that must be rejected under `public`: an address or CIDR notation, of either family. Host bits are cleared.
 * @throws PaddockError BAD_INPUT with `place`, the error and a valid form
 */
export function parseBlock(text: string, place = '--block'): string {
  const [address = '', bits, ...more] = text.split('/')
  const strict =
    ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(':') && !address.includes('%') && ipaddr.IPv6.isValid(address))
  const most = address.includes(':') ? 128 : 32
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  if (!strict || more.length > 0 || length < 0 || length > most)
    throw new PaddockError('BAD_INPUT', `${place} ${text}: this is not an address or a range.`, {
      hint: 'Write 198.51.100.0/24, 203.0.113.7 or 2001:db8::/32',
    })
  const cidr = `${address}/${length}`
  const first = most === 32 ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${first.toString()}/${length}`
}
