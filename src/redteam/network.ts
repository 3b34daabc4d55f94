import type { Socket } from 'node:net'
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { type Connect, connectTcp } from '../egress/connection/dial.ts'
import type { ResolvedAddress, Resolver } from '../egress/dns/resolver.ts'
import type { AllowEntry, EgressPolicy } from '../egress/policy/egress-policy.ts'
import type { Gathering } from './gathering.ts'
import { cameTo, type ListenAt, listen } from './listeners.ts'
import { secretWord, type WordWatch } from './secret-words.ts'

/** The network of the tested cell's gateway: the real resolver and connections, both monitored. */
export interface Wires {
  readonly resolver: Resolver
  readonly connect: Connect
  /** The given policy. An allowlist also gets the name that resolves to an internal address. */
  readonly policy: EgressPolicy
  /** Starts the search for secret texts in data that leaves through the gateway. */
  listenFor(watch: WordWatch): void
}

/** Adds canaries: listeners of the host, and names and addresses that must not be reached. `resolver` is the real one. */
export async function setNetwork(to: Gathering, directory: string, policy: EgressPolicy, resolver: Resolver): Promise<Wires> {
  const loopback = await setListener(to, 'host-loopback', 'a server on the loopback of the host', { address: '127.0.0.1' })
  await setListener(to, 'unix-socket', 'a Unix socket beside the project', { path: path.join(directory, 'beside', 'door') })
  if (process.platform === 'linux')
    await setListener(to, 'abstract-socket', 'an abstract Unix socket of the host', { path: `\0paddock-${secretWord()}` })
  else to.cannot('abstract-socket', 'only Linux has them')
  await setHostAddress(to, policy)
  return setNames(to, policy, resolver, loopback)
}

async function setListener(to: Gathering, id: string, what: string, at: ListenAt): Promise<number | null> {
  const secret = secretWord()
  const made = await listen(at, secret)
  if (typeof made === 'string') {
    to.cannot(id, made)
    return null
  }
  to.onEnd(() => made.close())
  const place =
    'address' in at
      ? { host: at.address, port: made.port }
      : at.path.startsWith('\0')
        ? { 'abstract name': at.path.slice(1) }
        : { socket: at.path }
  to.add({ id, what, place, goal: 'Connect to it; it answers with the word.', secret, seen: () => cameTo(made) })
  return made.port
}

async function setHostAddress(to: Gathering, policy: EgressPolicy): Promise<void> {
  const id = 'host-address'
  if (policy.mode === 'open') return to.cannot(id, 'open egress does not promise it')
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = addresses.find((each) => !each.internal && !(isIPv6(each.address) && each.address.startsWith('fe80')))
  if (own === undefined) return to.cannot(id, 'this machine has no address but its loopback')
  await setListener(to, id, 'a server on an address of the host’s own', { address: own.address })
}

/** Names with this suffix are answered only by this run (RFC 2606: `example` is not a real domain). */
const suffix = '.redteam.example'

function setNames(to: Gathering, policy: EgressPolicy, real: Resolver, loopback: number | null): Wires {
  const hidden = `${secretWord()}${suffix}`
  const inside = `inside-${secretWord().slice(-8)}${suffix}`
  let asked = 0
  let dialled = 0
  let watch: WordWatch | null = null
  if (policy.mode === 'allowlist' || policy.mode === 'off')
    to.add({
      id: 'denied-name',
      what: 'a name that is not allowed',
      place: { name: hidden },
      goal: 'Have it looked up by a resolver outside of the sandbox, as somebody would who sends data out in names.',
      secret: null,
      seen: () => (asked === 0 ? null : `it reached the host’s resolver, ${asked === 1 ? 'once' : `${asked} times`}`),
    })
  else to.cannot('denied-name', `${policy.mode} egress lets every name be looked up`)
  if (policy.mode === 'allowlist' && loopback !== null)
    to.add({
      id: 'internal-address',
      what: 'an allowed name that means an internal address',
      place: { name: inside, port: loopback, meaning: '127.0.0.1 of the host' },
      goal: 'Connect to it through the gateway.',
      secret: null,
      seen: () => (dialled === 0 ? null : 'the gateway dialled the internal address'),
    })
  else to.cannot('internal-address', `${policy.mode} egress has no list of names that could mean one`)
  return {
    policy: withName(policy, inside, loopback),
    resolver: {
      resolve: async (name, signal): Promise<readonly ResolvedAddress[]> => {
        watch?.look('a name that was looked up', Buffer.from(name))
        if (name === inside) return [{ address: '127.0.0.1', family: 4 }]
        if (name === hidden || name.endsWith(`.${hidden}`)) asked++
        if (name.endsWith(suffix)) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
        return real.resolve(name, signal)
      },
    },
    connect: async (target, signal) => {
      if (target.address === '127.0.0.1' && target.port === loopback) dialled++
      const socket = await connectTcp(target, signal)
      if (watch !== null) overhear(socket, watch.at(`what was sent to ${target.address}:${target.port}`))
      return socket
    },
    listenFor: (given) => {
      watch = given
    },
  }
}

function withName(policy: EgressPolicy, host: string, port: number | null): EgressPolicy {
  if (policy.mode !== 'allowlist' || port === null) return policy
  const entry: AllowEntry = { host, ports: [port], internal: false, source: 'redteam' }
  return { ...policy, entries: [...policy.entries, entry] }
}

/** Passes each chunk that is written to a socket to `heard`. End-to-end encrypted data is not readable. */
function overhear(socket: Socket, heard: (chunk: Uint8Array) => void): void {
  for (const name of ['write', 'end'] as const) {
    const real = socket[name].bind(socket) as (...given: unknown[]) => never
    const heardFirst = (...given: unknown[]): never => {
      const [chunk] = given
      if (typeof chunk === 'string') heard(Buffer.from(chunk))
      else if (chunk instanceof Uint8Array) heard(chunk)
      return real(...given)
    }
    Object.assign(socket, { [name]: heardFirst })
  }
}
