import { createInterface } from 'node:readline'
import { spawn } from '../../system/start-program.ts'
import { type AddressKind, classifyAddress, type OwnAddresses } from '../policy/addresses.ts'
import type { AllowEntry } from '../policy/egress-policy.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves a name to addresses, in the order to try them. Rejects if there are none. The gateway calls it only for allowed names. */
export interface Resolver {
  resolve(name: string, signal: AbortSignal): Promise<readonly ResolvedAddress[]>
  /**
   * Resolves names for information, and calls `found` with the result of each; null: the name does not resolve. Absent: `resolve` is used.
   */
  ahead?(
    names: readonly string[],
    signal: AbortSignal,
    found: (name: string, addresses: readonly ResolvedAddress[] | null) => void,
  ): Promise<void>
}

export interface HostResolverOptions {
  /** Milliseconds after which a lookup counts as failed. */
  readonly timeoutMs?: number
  /** Maximum number of simultaneous lookups. getaddrinfo(3) runs on a small thread pool that the whole process shares. */
  readonly maxPending?: number
  /** Milliseconds for which an answer is reused. */
  readonly keepMs?: number
  /** The environment of the process that looks names up ahead. Default: empty. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

const maxKept = 1_000

/** The module, loaded for the first name, because many cells never look up a name. */
const dns = (): typeof import('node:dns/promises') => process.getBuiltinModule('node:dns/promises')

/**
 * Resolves names as the host does (getaddrinfo(3): /etc/hosts, mDNS, VPN settings). There is one lookup per name at a time, shared by all
 * callers. Answers are cached briefly, failures are not. The caller must still judge every address that it dials.
 */
export function hostResolver(options: HostResolverOptions = {}): Resolver {
  const { timeoutMs = 10_000, maxPending = 256, keepMs = 5_000, env = {} } = options
  const pending = new Map<string, Promise<readonly ResolvedAddress[]>>()
  const kept = new Map<string, { until: number; addresses: readonly ResolvedAddress[] }>()

  const ask = async (name: string): Promise<readonly ResolvedAddress[]> => {
    const addresses = withFamily(await dns().lookup(name, { all: true, order: 'verbatim' }))
    if (kept.size >= maxKept) kept.delete(kept.keys().next().value ?? '')
    kept.set(name, { until: Date.now() + keepMs, addresses })
    return addresses
  }

  return {
    async resolve(name, signal) {
      signal.throwIfAborted()
      const known = kept.get(name)
      if (known !== undefined && known.until > Date.now()) return known.addresses
      kept.delete(name)
      let asked = pending.get(name)
      if (asked === undefined) {
        if (pending.size >= maxPending) throw new Error('too many lookups at once')
        asked = ask(name).finally(() => pending.delete(name))
        pending.set(name, asked)
      }
      return within(asked, timeoutMs, signal)
    },
    ahead: (names, signal, found) => lookUpApart(names, env, signal, found),
  }
}

/** Looks up each of its arguments as `hostResolver` does, and prints one line of JSON for each. */
const lookUpProgram = `
const { lookup } = require('node:dns')
for (const name of process.argv.slice(1))
  lookup(name, { all: true, order: 'verbatim' }, (error, found) => console.log(JSON.stringify([name, error ? null : found])))`

/**
 * Looks up names in another process, which is ended with the signal: this process could not exit during a lookup, and getaddrinfo(3) would
 * occupy its few threads.
 */
async function lookUpApart(
  names: readonly string[],
  { NODE_OPTIONS: _, ...env }: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
  found: (name: string, addresses: readonly ResolvedAddress[] | null) => void,
): Promise<void> {
  const child = spawn(process.execPath, ['-e', lookUpProgram, '--', ...names], { cwd: '/', env, stdio: ['ignore', 'pipe', 'ignore'] })
  const end = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  child.on('error', () => undefined)
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [name, addresses] = JSON.parse(line) as [string, { address: string; family: number }[] | null]
      if (!signal.aborted) found(name, addresses === null ? null : withFamily(addresses))
    }
  } catch {
    // The cell ended. Its own lookups report what is missing.
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function withFamily(found: readonly { readonly address: string; readonly family: number }[]): readonly ResolvedAddress[] {
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/**
 * Queries the host's DNS servers (resolv.conf(5)) directly, for names that a cell chooses. Unlike getaddrinfo(3), it does not block
 * threads of the process, so a cell that looks up many slow names delays only itself. Does not read /etc/hosts.
 */
export function dnsResolver(options: { readonly timeoutMs?: number; readonly tries?: number } = {}): Resolver {
  const { timeoutMs = 3_000, tries = 2 } = options
  return {
    async resolve(name, signal) {
      signal.throwIfAborted()
      // Reads the servers for each lookup, because a laptop changes networks.
      const resolver = new (dns().Resolver)({ timeout: timeoutMs, tries })
      const stop = (): void => resolver.cancel()
      signal.addEventListener('abort', stop, { once: true })
      try {
        const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
        if (four.status === 'rejected' && six.status === 'rejected') throw worse(four.reason, six.reason)
        return [
          ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
          ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
        ]
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

/** Returns one of two failures, if possible one that is not merely a missing record. */
function worse(one: NodeJS.ErrnoException, other: NodeJS.ErrnoException): NodeJS.ErrnoException {
  return one.code === 'ENODATA' ? other : one
}

/** Returns the addresses that an entry lets a cell reach, in order, and the kinds of the other addresses. */
export function dialable(
  addresses: readonly ResolvedAddress[],
  entry: Pick<AllowEntry, 'internal'>,
  own: OwnAddresses,
): { readonly allowed: readonly ResolvedAddress[]; readonly refused: readonly { readonly address: string; readonly kind: AddressKind }[] } {
  const allowed: ResolvedAddress[] = []
  const refused: { address: string; kind: AddressKind }[] = []
  for (const each of addresses) {
    const { internal, kind } = classifyAddress(each.address, own)
    if (kind === 'unreadable' || (internal && !entry.internal)) refused.push({ address: each.address, kind })
    else allowed.push(each)
  }
  return { allowed, refused }
}

/** Settles like `work`, unless time runs out or the signal is aborted. `work` itself continues, and its result is ignored. */
async function within<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  const timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    work.catch(() => {})
  }
}
