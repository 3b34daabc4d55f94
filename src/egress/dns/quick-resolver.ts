import type { Resolver } from './resolver.ts'

/** Milliseconds for a lookup, and for which a name without an answer is not looked up again. */
const [patienceMs, forgottenMs] = [2_000, 60_000]
const maxKept = 1_000

/**
 * Returns a resolver for a machine with a proxy, where names without an answer are ordinary: it gives up soon, and does not try such a name
 * again for a minute.
 */
export function quickResolver(resolver: Resolver): Resolver {
  const unknown = new Map<string, number>()
  return {
    ...resolver,
    async resolve(name, signal) {
      if ((unknown.get(name) ?? 0) > Date.now()) throw new Error('the name had no answer a moment ago')
      try {
        return await resolver.resolve(name, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
      } catch (error) {
        if (unknown.size >= maxKept) unknown.clear()
        if (!signal.aborted) unknown.set(name, Date.now() + forgottenMs)
        throw error
      }
    },
  }
}
