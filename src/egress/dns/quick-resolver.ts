import { codeOf } from '../../base/errors.ts'
import type { ResolvedAddress, Resolver } from './resolver.ts'

/** Milliseconds for a lookup, and for which a name without an answer is not looked up again. */
const [patienceMs, forgottenMs] = [2_000, 60_000]
const maxKept = 1_000
/** Maximum number of simultaneous lookups of the second resolver. */
const maxPending = 64

/** An error for a name that was not looked up, because too many others were. */
export class TooBusy extends Error {}

/**
 * Returns a resolver for a machine with a proxy, where names without an answer are ordinary: it gives up soon, and does not try such a name
 * again for a minute. The proxy resolves those names, so that nobody judges their addresses. Therefore a cell must not be able to cause the
 * failure: if the resolver gives no answer, which may be because the cell keeps it busy, `second` is asked, and a name that had an answer before
 * keeps it.
 * Rejects with `TooBusy` for a name that even that resolver was not asked for.
 * @param second a resolver that lookups of other names do not slow down; null: there is none.
 */
export function quickResolver(resolver: Resolver, second: Resolver | null): Resolver {
  const unknown = new Map<string, number>()
  const known = new Map<string, readonly ResolvedAddress[]>()
  const ask = async (which: Resolver, name: string, signal: AbortSignal): Promise<readonly ResolvedAddress[]> => {
    const addresses = await which.resolve(name, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
    if (addresses.length === 0) return addresses
    if (known.size >= maxKept) known.delete(known.keys().next().value ?? '')
    known.set(name, addresses)
    return addresses
  }
  let pending = 0
  const askSecond = async (name: string, signal: AbortSignal): Promise<readonly ResolvedAddress[]> => {
    if (second === null || signal.aborted) return []
    if (pending >= maxPending) throw new TooBusy('too many names are looked up at once')
    pending++
    try {
      return await ask(second, name, signal)
    } catch {
      return []
    } finally {
      pending--
    }
  }
  return {
    ...resolver,
    async resolve(name, signal) {
      if ((unknown.get(name) ?? 0) > Date.now()) throw new Error('the name had no answer a moment ago')
      try {
        return await ask(resolver, name, signal)
      } catch (error) {
        const before = known.get(name)
        if (before !== undefined && !signal.aborted) return before
        const found = codeOf(error) === 'ENOTFOUND' ? [] : await askSecond(name, signal)
        if (found.length > 0) return found
        if (unknown.size >= maxKept) unknown.clear()
        if (!signal.aborted) unknown.set(name, Date.now() + forgottenMs)
        throw error
      }
    },
  }
}
