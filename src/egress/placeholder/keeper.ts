import { SearchedStream } from '../../secrets/searched.ts'
import type { Secret } from '../../secrets/secret.ts'
import { type Search, SpelledWords } from '../../secrets/spelled-words.ts'
import { spellings } from '../../secrets/spellings.ts'
import type { Astray } from '../egress-summary.ts'
import { RefusedError } from '../http/http-guard.ts'
import { Allowance } from '../policy/egress-allowance.ts'
import { matchesPattern } from '../policy/host-pattern.ts'
import type { Fields } from '../requests/fields.ts'
import type { CellCredential, CredentialHost, TokenEndpoint } from './credential.ts'
import { isForeign } from './foreign.ts'
import { matchesAny, type ReachingRequest, reachOf } from './reach.ts'
import { drop, holds, type SwappableRequest, swap } from './swap.ts'

/** The real destination of a request. Certificates are checked against this name. */
export interface Destination {
  readonly host: string
  readonly port: number
  readonly tls: boolean
}

export interface KeeperOptions {
  readonly credentials: readonly CellCredential[]
  /** Called for the first use of a credential at a host and for every misplaced placeholder. `data` contains only names. */
  readonly record: (kind: 'credential.use' | 'credential.astray', data: Readonly<Record<string, unknown>>) => void
}

/** A request with its placeholders swapped. */
export interface Filled<T> {
  readonly request: T
  /** Names of the credentials that were swapped in. */
  readonly used: readonly string[]
  /** Names of JSON members that the cell must not get from the answer. */
  readonly hidden: readonly string[]
  /** Reports that the host rejected the credential. The caller must do so. */
  readonly rejected: () => void
}

/** A credential and the hosts that it may be sent to. */
interface Bound {
  readonly credential: CellCredential
  readonly hosts: readonly { readonly host: CredentialHost; readonly reaches: ReturnType<typeof reachOf> }[]
}

const maxRows = 100

/** The credentials of one cell: swaps placeholders in requests, removes secrets from answers, and reports misplaced placeholders. */
export class CredentialKeeper {
  readonly #options: KeeperOptions
  readonly #bound: readonly Bound[]
  readonly #used = new Set<string>()
  readonly #known = new Set<Secret>()
  /** Every secret that was used. Answers are still searched for a secret after another one has replaced it. */
  readonly #learnt = new Map<string, Buffer>()
  readonly #astray = new Map<string, { credential: string; host: string; count: number }>()
  readonly #alarms = new Allowance(100, 1)
  #secrets = new SpelledWords([])
  #placeholders = new SpelledWords([])
  #placeholderCount = 0

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#bound = options.credentials.map((credential) => ({
      credential,
      hosts: credential.hosts.map((host) => ({ host, reaches: reachOf(host) })),
    }))
  }

  /** Returns true if answers from this host are searched for secrets. */
  binds(to: Destination): boolean {
    return this.#boundTo(to).length > 0
  }

  /** Returns the token endpoint for a request that the gateway must answer itself, or null. */
  renewal(host: string, path: string): TokenEndpoint | null {
    const found = this.#options.credentials.find(({ renewal }) => renewal?.host === host && matchesAny(path, renewal.paths))
    return found?.renewal ?? null
  }

  /**
   * Returns a judged request in the form to forward: with the real credential if a placeholder was in its place, and otherwise unchanged.
   * @param path canonical path.
   * @throws PaddockError if the real credential is not available, RefusedError for a credential that does not belong to the cell.
   */
  async fill<T extends ReachingRequest>(request: T, path: string, to: Destination, signal: AbortSignal): Promise<Filled<T>> {
    let filled: SwappableRequest = request
    this.#refuseForeign(request, to)
    const used: { readonly credential: CellCredential; readonly secret: Secret }[] = []
    const hidden: string[] = []
    for (const { credential, hosts } of this.#boundTo(to)) {
      const placeholders = credential.placeholders()
      const held = credential.places.filter((place) => holds(filled, place, placeholders))
      const reached = held.length > 0 ? hosts.filter(({ reaches }) => reaches(request, path)) : []
      const places = reached.length > 0 ? held : []
      // A secret that an earlier cell stored at the host may be returned to a cell that has not used the credential itself.
      const secret = places.length > 0 ? await credential.secret(signal) : await credential.secret(signal).catch(() => null)
      if (secret !== null) this.#learn(secret)
      if (credential.droppedElsewhere && places.length === 0) for (const place of held) filled = drop(filled, place, placeholders)
      if (secret === null || places.length === 0) continue
      for (const place of places) filled = swap(filled, place, placeholders, secret)
      used.push({ credential, secret })
      hidden.push(...reached.flatMap(({ host }) => host.hidden ?? []))
      this.#noteUse(credential.name, to)
    }
    this.#look(request, filled, to)
    return {
      request: { ...request, target: filled.target, headers: filled.headers },
      used: used.map(({ credential }) => credential.name),
      hidden,
      rejected: () => {
        for (const { credential, secret } of used) credential.rejected?.(secret)
      },
    }
  }

  /** Returns the search for secrets that must not be returned to the cell. It grows with each credential that is used. */
  secrets(): Search {
    return this.#secrets
  }

  /** Returns a line of an answer's head (one character per byte) without secrets. */
  maskText(text: string): string {
    if (this.#secrets.empty) return text
    const bytes = Buffer.from(text, 'latin1')
    for (const [start, end] of this.#secrets.ranges(bytes)) bytes.fill('*', start, end)
    return bytes.toString('latin1')
  }

  /** Returns header or trailer fields of an answer without secrets in names or values. */
  maskFields(fields: Fields): Fields {
    return fields.map(([name, value]) => [this.maskText(name), this.maskText(value)] as const)
  }

  /** Returns a function that searches other data to a host (a body, a plaintext connection) for placeholders. Null if not needed. */
  watch(to: Destination): ((piece: Buffer) => void) | null {
    if (this.#options.credentials.length === 0 || this.binds(to)) return null
    const stream = new SearchedStream(() => this.#placeholderFinder())
    let seen = false
    return (piece) => {
      if (seen || !stream.sees(piece)) return
      seen = true
      this.#alarm(null, to, 'body')
    }
  }

  /** Returns at most 100 placeholders that were sent to places where they have no value. */
  astray(): readonly Astray[] {
    return [...this.#astray.values()].map((each) => ({ ...each }))
  }

  /** Overwrites the keeper's copies of the secrets. */
  close(): void {
    this.#secrets.forget()
    for (const each of this.#learnt.values()) each.fill(0)
    this.#learnt.clear()
    this.#known.clear()
  }

  #refuseForeign(request: SwappableRequest, to: Destination): void {
    const bound = this.#boundTo(to)
    if (!bound.some(({ credential }) => credential.exclusive === true)) return
    const placeholders = bound.flatMap(({ credential }) => credential.placeholders())
    const places = bound.flatMap(({ credential }) => credential.places)
    if (isForeign(request, places, placeholders))
      throw new RefusedError({ reason: 'foreign-credential', detail: `at ${to.host} only the credential of this cell may be used` })
  }

  #boundTo(to: Destination): readonly Bound[] {
    return this.#bound.flatMap(({ credential, hosts }) => {
      const here = hosts.filter(({ host: each }) => matchesPattern(each.host, to.host) && each.port === to.port && each.tls === to.tls)
      return here.length === 0 ? [] : [{ credential, hosts: here }]
    })
  }

  #learn(secret: Secret): void {
    if (this.#known.has(secret) || secret.disposed) return
    this.#known.add(secret)
    const copy = secret.use((bytes) => Buffer.from(bytes))
    this.#learnt.set(copy.toString('latin1'), copy)
    this.#secrets.forget()
    this.#secrets = new SpelledWords([...this.#learnt.values()])
  }

  #placeholderFinder(): Search {
    const all = this.#options.credentials.flatMap((each) => each.placeholders())
    if (all.length !== this.#placeholderCount) {
      this.#placeholderCount = all.length
      this.#placeholders = new SpelledWords(all.map((each) => Buffer.from(each)))
    }
    return this.#placeholders
  }

  #noteUse(credential: string, { host, port }: Destination): void {
    const key = `${credential} ${host}:${port}`
    if (this.#used.has(key)) return
    this.#used.add(key)
    this.#options.record('credential.use', { credential, host, port })
  }

  /** Searches the head of a request for placeholders that were not swapped. */
  #look(request: SwappableRequest, filled: SwappableRequest, to: Destination): void {
    const finder = this.#placeholderFinder()
    if (finder.empty) return
    const places = [
      ['target', filled.target],
      ...filled.headers.map((field) => [`header ${field[0].toLowerCase()}`, request.headers.includes(field) ? field[1] : '']),
    ] as const
    for (const [where, text] of places)
      if (finder.ranges(Buffer.from(text ?? '', 'latin1')).length > 0) this.#alarm(text ?? '', to, where ?? '')
  }

  #alarm(text: string | null, { host, port }: Destination, where: string): void {
    const named = this.#options.credentials.filter(
      (each) =>
        text === null || each.placeholders().some((placeholder) => spellings(Buffer.from(placeholder)).some((word) => text.includes(word))),
    )
    for (const { name: credential } of text === null && named.length > 1 ? [{ name: 'one of them' }] : named) {
      const key = `${credential} ${host}`
      const row = this.#astray.get(key)
      if (row !== undefined) row.count++
      else if (this.#astray.size < maxRows) this.#astray.set(key, { credential, host, count: 1 })
      if (this.#alarms.take()) this.#options.record('credential.astray', { credential, host, port, where: where.slice(0, 100) })
    }
  }
}
