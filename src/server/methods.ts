import type { FastifyInstance } from 'fastify'

/** The methods of the app's paths. They depend only on the patterns of routes, which are public, and not on what exists. */
export class PathMethods {
  readonly #byPattern = new Map<string, { readonly parts: readonly string[]; readonly methods: Set<string> }>()

  /** Notes each route that is registered from now on. A stream has no HEAD, because its headers are sent when it starts. */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method, config }) => {
      const known = this.#byPattern.get(url) ?? { parts: url.split('/'), methods: new Set(['OPTIONS']) }
      for (const each of [method].flat()) if (each !== 'HEAD' || config?.stream !== true) known.methods.add(each)
      this.#byPattern.set(url, known)
    })
  }

  /** Returns the methods of a path as the value of `Allow`; null if no route has this path. */
  allow(url: string): string | null {
    const parts = url.split('?', 1)[0]?.split('/') ?? []
    const matches = (pattern: readonly string[]): boolean =>
      pattern.length === parts.length && pattern.every((each, index) => each.startsWith(':') || each === parts[index])
    const found = [...this.#byPattern.values()].filter((each) => matches(each.parts)).flatMap(({ methods }) => [...methods])
    return found.length === 0 ? null : [...new Set(found)].sort().join(', ')
  }
}
