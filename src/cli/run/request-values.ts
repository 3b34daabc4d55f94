import type { OriginOf } from '../../config/request/read-request.ts'
import type { Origin } from '../../config/request/request.ts'
import type { RequestInput } from '../../config/request/request-schema.ts'

interface Text {
  readonly text: string
  readonly origin: Origin
}

/** Collects the values of a request from several sources, by key, each with its origin. A single value replaces an earlier one. */
export class Gathered {
  readonly #lists = new Map<string, Text[]>()
  readonly #values = new Map<string, Text>()

  list(key: string, texts: readonly string[], origin: Origin): void {
    const known = this.#lists.get(key) ?? []
    known.push(...texts.map((text) => ({ text, origin })))
    this.#lists.set(key, known)
  }

  value(key: string, text: string | undefined, origin: Origin): void {
    if (text !== undefined) this.#values.set(key, { text, origin })
  }

  readonly originOf: OriginOf = (key, index) => {
    const found = index === undefined ? this.#values.get(key) : this.#lists.get(key)?.[index]
    return found?.origin ?? { place: key, from: 'caller' }
  }

  input(login: boolean): RequestInput {
    const list = (key: string): readonly string[] => (this.#lists.get(key) ?? []).map((each) => each.text)
    const value = (key: string): string | undefined => this.#values.get(key)?.text
    return {
      model: value('model'),
      args: [...list('args')],
      baseUrl: value('baseUrl'),
      credentials: value('credentials'),
      ...(value('webTools') === 'false' ? { webTools: false } : {}),
      login,
      env: [...list('env')],
      secrets: [...list('secrets')],
      repos: [...list('repos')],
      ro: list('ro'),
      rw: list('rw'),
      mask: list('mask'),
      egress: {
        policy: value('egress.policy'),
        allow: [...list('egress.allow')],
        ask: [...list('egress.ask')],
        block: [...list('egress.block')],
        presets: [...list('egress.presets')],
        inspect: [...list('egress.inspect')],
        rules: [...list('egress.rules')],
        ruleSets: [...list('egress.ruleSets')],
      },
      limits: {
        timeout: value('limits.timeout'),
        silence: value('limits.silence'),
        memory: value('limits.memory'),
        pids: value('limits.pids'),
        cpus: value('limits.cpus'),
        fileSize: value('limits.fileSize'),
        disk: value('limits.disk'),
      },
    }
  }
}
