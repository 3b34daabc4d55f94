import { connectTcp, type Target } from '../../egress/connection/dial.ts'
import type { ResolvedAddress, Resolver } from '../../egress/dns/resolver.ts'

/**
 * The name server and the internet of the probes. Probes set the addresses of names; look-ups and dialled addresses are recorded. A dialled
 * address leads to a server on this machine's loopback, or nowhere.
 */
export class ProbeNames implements Resolver {
  readonly #answers = new Map<string, (readonly string[])[]>()
  readonly #servers = new Map<string, number>()
  #fresh = 0
  /** Every name that reached the resolver, in order. */
  readonly resolved: string[] = []
  /** Every address that the gateway dialled, in order. */
  readonly dialled: Target[] = []

  /** Sets the addresses of a name, as one list for each look-up. The last list is used for all further look-ups. */
  set(name: string, ...answers: readonly (readonly string[])[]): void {
    this.#answers.set(name, [...answers])
  }

  /** Returns an address that no other probe of this verification uses. */
  freshAddress(): string {
    const number = this.#fresh++
    return `93.184.${100 + Math.floor(number / 250)}.${1 + (number % 250)}`
  }

  /** Maps an address and port to a port on this machine's loopback. */
  lead(address: string, port: number, loopbackPort: number): void {
    this.#servers.set(`${address}:${port}`, loopbackPort)
  }

  async resolve(name: string): Promise<readonly ResolvedAddress[]> {
    this.resolved.push(name)
    const lists = this.#answers.get(name)
    if (lists === undefined) throw Object.assign(new Error(`${name} is not the name of a probe`), { code: 'ENOTFOUND' })
    const list = (lists.length > 1 ? lists.shift() : lists[0]) ?? []
    return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }

  readonly connect = (target: Target, signal: AbortSignal): ReturnType<typeof connectTcp> => {
    this.dialled.push(target)
    const port = this.#servers.get(`${target.address}:${target.port}`)
    if (port === undefined) return Promise.reject(Object.assign(new Error('no server of a probe is there'), { code: 'ECONNREFUSED' }))
    return connectTcp({ address: '127.0.0.1', family: 4, port }, signal)
  }
}
