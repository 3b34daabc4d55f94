import { connectTcp, type Target } from '../../egress/connection/dial.ts'
import type { ResolvedAddress, Resolver } from '../../egress/dns/resolver.ts'

/**
 * The names and the internet that probes use in place of the real ones: what a name means, who asked for it, what was dialled. A dialled
 * address ends at a server on this machine's loopback, or nowhere.
 */
export class ProbeNames implements Resolver {
  readonly #answers = new Map<string, (readonly string[])[]>()
  readonly #servers = new Map<string, number>()
  #fresh = 0
  /** Every name that reached the resolver, in order. */
  readonly resolved: string[] = []
  /** Every address that the gateway dialled, in order. */
  readonly dialled: Target[] = []

  /** What a name means: one list for each time it is asked; the last one stays. */
  set(name: string, ...answers: readonly (readonly string[])[]): void {
    this.#answers.set(name, [...answers])
  }

  /** An address that no other probe of this verification has. */
  freshAddress(): string {
    const number = this.#fresh++
    return `93.184.${100 + Math.floor(number / 250)}.${1 + (number % 250)}`
  }

  /** Lets an address and port end at a port of this machine's loopback. */
  lead(address: string, port: number, loopbackPort: number): void {
    this.#servers.set(`${address}:${port}`, loopbackPort)
  }

  async resolve(name: string): Promise<readonly ResolvedAddress[]> {
    this.resolved.push(name)
    const lists = this.#answers.get(name)
    if (lists === undefined) throw Object.assign(new Error(`${name} is not a name of a probe`), { code: 'ENOTFOUND' })
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
