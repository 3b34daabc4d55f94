import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import { parseSecretRef, resolveSecretRef } from '../../src/credentials/secret-ref.ts'
import { kindOf } from '../../src/credentials/vault/age-file.ts'
import { Entries } from '../../src/credentials/vault/entries.ts'
import { parseDocument } from '../../src/credentials/vault/vault-schema.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { refused } from './vault-lab.ts'

const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,30}$/)
const moment = fc.integer({ min: 0, max: 4e12 }).map((ms) => new Date(ms).toISOString())
const value = fc.oneof(
  fc
    .string({ minLength: 1, unit: 'binary' })
    .filter((text) => text.isWellFormed())
    .map((text) => ({ encoding: 'text', value: text })),
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => ({ encoding: 'base64', value: Buffer.from(bytes).toString('base64') })),
)
const place = fc.constantFrom(
  { in: 'header', name: 'x-api-key' },
  { in: 'header', name: 'authorization', scheme: 'Bearer' },
  { in: 'query', name: 'key' },
  { in: 'basic', user: 'é' },
)
const entry = fc
  .tuple(
    name,
    value,
    fc.uniqueArray(fc.constantFrom('a.example', '*.b.example', 'c_1.example'), { minLength: 1 }),
    fc.option(place, { nil: undefined }),
    moment,
    moment,
  )
  .map(([of, stored, hosts, where, createdAt, updatedAt]) => ({
    name: of,
    ...stored,
    hosts,
    ...(where === undefined ? {} : { place: where }),
    createdAt,
    updatedAt,
  }))
const document = fc.uniqueArray(entry, { selector: (each) => each.name, maxLength: 8 }).map((entries) => ({ schemaVersion: 1, entries }))

const read = (text: string | Uint8Array): unknown => {
  try {
    return parseDocument(Buffer.from(text), 'FILE')
  } catch (error) {
    if (error instanceof PaddockError && error.code === 'FILES_FAILED') return null
    throw error
  }
}

describe('what a vault holds', () => {
  it('is read, kept and written without loss', () => {
    fc.assert(
      fc.property(document, (wanted) => {
        const entries = Entries.of(parseDocument(Buffer.from(JSON.stringify(wanted)), 'FILE'))
        const written = entries.encode()
        const again = Entries.of(parseDocument(written, 'FILE'))
        expect(again.encode()).toEqual(written)
        for (const { name: of, encoding, value: text } of wanted.entries) {
          const bytes = Buffer.from(text, encoding === 'text' ? 'utf8' : 'base64')
          using found = again.get(of)
          expect(found.equals(bytes)).toBe(true)
        }
        entries.dispose(null)
        again.dispose(null)
      }),
      { numRuns: 300 },
    )
  })

  it('anything else is refused in a sentence that quotes none of it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => read(bytes) === null,
      ),
      { numRuns: 500 },
    )
    const canary = 'canary-0f3a'
    fc.assert(
      fc.property(document, fc.jsonValue(), fc.nat(), fc.nat(), (wanted, junk, which, where) => {
        fc.pre(wanted.entries.length > 0)
        const spoilt = structuredClone(wanted) as { schemaVersion: number; entries: Record<string, unknown>[] }
        const target = spoilt.entries[which % spoilt.entries.length] ?? {}
        const keys = Object.keys(target)
        target[keys[where % keys.length] ?? ''] = [canary, junk, 0]
        try {
          parseDocument(Buffer.from(JSON.stringify(spoilt)), 'FILE')
          return false
        } catch (error) {
          return error instanceof PaddockError && !`${error.message}${error.hint}`.includes(canary)
        }
      }),
      { numRuns: 300 },
    )
  })

  it.each<[string, object]>([
    ['two of one name', { entries: [{}, {}] }],
    ['more keys than there are', { entries: [{ extra: 1 }] }],
    ['no host', { entries: [{ hosts: [] }] }],
    ['a host that is an address', { entries: [{ hosts: ['127.0.0.1'] }] }],
    ['a host in capitals', { entries: [{ hosts: ['A.example'] }] }],
    ['every host', { entries: [{ hosts: ['*'] }] }],
    ['a value that is not what it says', { entries: [{ encoding: 'base64', value: 'not base64!' }] }],
    ['an empty value', { entries: [{ value: '' }] }],
    ['a name that is a path', { entries: [{ name: '../x' }] }],
    ['a version that is not a number', { schemaVersion: '1' }],
  ])('refuses %s', (_, spoil: { entries?: object[] }) => {
    const whole = {
      name: 'a',
      encoding: 'text',
      value: 'v',
      hosts: ['a.example'],
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    }
    const of = (more: object, entries: object[] = [{}]): string =>
      JSON.stringify({ schemaVersion: 1, ...more, entries: entries.map((each) => ({ ...whole, ...each })) })
    expect(read(of({}))).not.toBeNull()
    expect(read(of(spoil, spoil.entries))).toBeNull()
  })
})

describe('the first lines of a file', () => {
  it('any bytes get a kind or a sentence', () => {
    const head = fc.array(
      fc.constantFrom('age-encryption.org/v1\n', '-> scrypt ', '-> X25519 ', 'AAAA', '\n', '--- ', ' 18', '-> ', '\u0000'),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 400 }),
          head.map((parts) => Buffer.from(parts.join(''))),
        ),
        (bytes) => {
          try {
            return ['passphrase', 'keyring'].includes(kindOf(bytes, 'FILE'))
          } catch (error) {
            return error instanceof PaddockError && error.hint !== undefined
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('references to secrets', () => {
  const never = (): Promise<never> => Promise.reject(new Error('nobody asked for it'))

  it('each is asked of its own source only', async () => {
    let disposed = 0
    const vault = {
      get: (of: string) => Promise.resolve({ secret: Secret.fromText(of, `vault ${of}`) }),
      [Symbol.dispose]: () => void disposed++,
    }
    const resolve = (text: string, more: object): Promise<Secret> =>
      resolveSecretRef(parseSecretRef(text, 'here'), { env: {}, vault: never, azure: never, ...more })
    expect((await resolve('vault:KEY', { vault: () => Promise.resolve(vault) })).text()).toBe('vault KEY')
    expect(disposed).toBe(1)
    expect((await resolve('env:KEY', { env: { KEY: 'of the environment' } })).text()).toBe('of the environment')
    const azure = {
      get: ({ vault: of, secret }: { vault: string; secret: string }) => Promise.resolve(Secret.fromText('x', `${of} ${secret}`)),
    }
    expect((await resolve('azure-kv://my-vault/key', { azure: () => Promise.resolve(azure) })).text()).toBe('my-vault key')
    for (const env of [{}, { KEY: '' }]) expect((await refused(() => resolve('env:KEY', { env }))).code).toBe('NOT_FOUND')
    expect((await refused(() => resolve('env:toString', {}))).code).toBe('NOT_FOUND')
  })

  it('a value that is not a reference is not quoted: it may be the secret itself', async () => {
    for (const text of ['sk-canary', 'canary', 'file:/canary', 'env:', 'env:canary=1', 'ENV:canary', '', ' vault:canary']) {
      const error = await refused(() => parseSecretRef(text, 'credentials.x'))
      expect(error.message).toMatch(/^credentials\.x: /)
      expect(error.message + error.hint).not.toContain('canary')
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          return ['vault', 'env', 'azure-kv'].includes(parseSecretRef(text, 'x').from)
        } catch (error) {
          return error instanceof PaddockError
        }
      }),
    )
  })
})
