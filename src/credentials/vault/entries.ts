import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { parseHostPattern } from '../../egress/policy/host-pattern.ts'
import { Secret } from '../../secrets/secret.ts'
import { checkedName } from './secret-name.ts'
import {
  maxEntries,
  maxSecretBytes,
  placeSchema,
  type SecretPlace,
  type StoredEntry,
  storedValue,
  type VaultDocument,
  valueBytes,
  vaultVersion,
} from './vault-schema.ts'

/** The facts about a secret that may be known without its value. */
export interface VaultEntry {
  readonly name: string
  /** The length of the value in bytes. */
  readonly bytes: number
  /** The allowed hosts: exact names, and `*.name` for all names below one. HTTPS only. */
  readonly hosts: readonly string[]
  readonly place?: SecretPlace
  readonly createdAt: string
  readonly updatedAt: string
}

/** A request to store a secret. For an existing name, omitted fields stay unchanged. */
export interface NewEntry {
  readonly name: string
  /** The value, which the caller keeps and must dispose of. */
  readonly value: Secret
  readonly hosts?: readonly string[]
  readonly place?: SecretPlace
}

interface Held extends VaultEntry {
  readonly value: Secret
}

/** The entries of an unlocked vault. Immutable: each change returns a new object. */
export class Entries {
  readonly #held: ReadonlyMap<string, Held>

  private constructor(held: ReadonlyMap<string, Held>) {
    this.#held = held
  }

  static empty(): Entries {
    return new Entries(new Map())
  }

  static of(document: VaultDocument): Entries {
    const held = document.entries.map(({ encoding, value, place, ...rest }): [string, Held] => {
      const secret = Secret.take(`vault:${rest.name}`, valueBytes({ encoding, value }))
      return [rest.name, { ...rest, ...(place === undefined ? {} : { place }), bytes: secret.length, value: secret }]
    })
    return new Entries(new Map(held))
  }

  get size(): number {
    return this.#held.size
  }

  list(): readonly VaultEntry[] {
    const shown = [...this.#held.values()].map(({ value: _, ...entry }) => entry)
    return shown.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Returns a copy of the value, which the caller must dispose of. */
  get(name: string): Secret {
    const { value } = this.#find(name)
    return value.use((bytes) => Secret.take(`vault:${name}`, Buffer.from(bytes)))
  }

  entry(name: string): VaultEntry {
    const { value: _, ...entry } = this.#find(name)
    return entry
  }

  with(wish: NewEntry, now: Date): Entries {
    const name = checkedName(wish.name)
    const before = this.#held.get(name)
    const hosts = wish.hosts?.length ? [...new Set(wish.hosts.map((each) => checkedHost(each, name)))] : before?.hosts
    if (hosts === undefined)
      throw new PaddockError('BAD_INPUT', `${name}: no host is named that this secret may be sent to, so nothing was stored.`, {
        hint: `paddock vault set ${name} --host api.example.com`,
      })
    if (hosts.length > 64)
      throw new PaddockError('BAD_INPUT', `${name}: at most 64 hosts can be named.`, { hint: 'Use *.example.com for the names below one' })
    if (wish.value.length === 0 || wish.value.length > maxSecretBytes)
      throw new PaddockError(
        'BAD_INPUT',
        `${name}: a secret has 1 to ${maxSecretBytes} bytes, and this one has ${wish.value.length}; nothing was stored.`,
        {
          hint: 'Give only the secret on standard input',
        },
      )
    if (before === undefined && this.#held.size >= maxEntries)
      throw new PaddockError('BAD_INPUT', `The vault holds ${maxEntries} secrets, and no more fit.`, { hint: 'paddock vault rm NAME' })
    const place = wish.place ?? before?.place
    if (place !== undefined && !placeSchema.safeParse(place).success)
      throw new PaddockError('BAD_INPUT', `${name}: the place in a request is not valid in HTTP.`, {
        hint: 'Use header:NAME, header:NAME=SCHEME, query:NAME or basic:USER',
      })
    const value = wish.value.use((bytes) => Secret.take(`vault:${name}`, Buffer.from(bytes)))
    const entry: Held = {
      name,
      bytes: value.length,
      hosts,
      ...(place === undefined ? {} : { place }),
      createdAt: before?.createdAt ?? now.toISOString(),
      updatedAt: now.toISOString(),
      value,
    }
    return new Entries(new Map([...this.#held, [name, entry]]))
  }

  without(name: string): Entries {
    this.#find(name)
    return new Entries(new Map([...this.#held].filter(([each]) => each !== name)))
  }

  /** Returns the content to encrypt and write. The caller must zero it. */
  encode(): Buffer {
    const entries = [...this.#held.values()].map(({ bytes: _, value, ...rest }): StoredEntry => {
      return { ...rest, hosts: [...rest.hosts], ...value.use(storedValue) }
    })
    return Buffer.from(`${JSON.stringify({ schemaVersion: vaultVersion, entries } satisfies VaultDocument, null, 2)}\n`)
  }

  /** Zeroes every value that is not shared with `other`. */
  dispose(other: Entries | null): void {
    for (const { name, value } of this.#held.values()) if (other === null || other.#held.get(name)?.value !== value) value.dispose()
  }

  #find(name: string): Held {
    const found = this.#held.get(name)
    if (found !== undefined) return found
    const near = nearest(name, [...this.#held.keys()])
    throw new PaddockError('NOT_FOUND', `The vault holds no secret of the name ${JSON.stringify(name.slice(0, 100))}.`, {
      hint: near === null ? 'paddock vault list shows the names' : `Did you mean ${near}?`,
    })
  }
}

function checkedHost(host: string, name: string): string {
  if (/[:/]/.test(host))
    throw new PaddockError('BAD_INPUT', `${name}: --host ${host.slice(0, 200)} is more than a host name.`, {
      hint: 'Give only the host name: a secret is sent by HTTPS, to any path of the host',
    })
  return parseHostPattern(host, name)
}
