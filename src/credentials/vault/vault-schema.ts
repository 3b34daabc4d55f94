import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { wireName } from '../../egress/policy/host-pattern.ts'
import { refuseNewer } from '../../files/stored-json.ts'
import { secretNamePattern } from './secret-name.ts'

export const vaultVersion = 1
/** The maximum size of one secret in bytes. */
export const maxSecretBytes = 64 * 1024
/** The maximum size of the whole file. A larger one is not read. */
export const maxVaultBytes = 8 * 1024 * 1024
export const maxEntries = 1_000

/** The name of an HTTP field (RFC 9110, section 5.6.2). */
const token = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/)

/** The place of a secret in a request to one of its hosts. */
export const placeSchema = z.discriminatedUnion('in', [
  z.strictObject({ in: z.literal('header'), name: token, scheme: token.optional() }),
  z.strictObject({ in: z.literal('query'), name: z.string().regex(/^[A-Za-z0-9._~-]{1,100}$/) }),
  z.strictObject({ in: z.literal('basic'), user: z.string().regex(/^[^:\p{Cc}]{0,200}$/u) }),
])
export type SecretPlace = z.infer<typeof placeSchema>

/**
 * A host, checked only for its form. The name is checked when it is set, because an updated public suffix list must not make a vault
 * unreadable.
 */
const host = z
  .string()
  .max(255)
  .refine((text) => {
    const name = text.startsWith('*.') ? text.slice(2) : text
    return wireName(name) === name
  })

const entrySchema = z.strictObject({
  name: z.string().regex(secretNamePattern),
  /** `text`: plain UTF-8, so that `age -d` shows it. `base64`: bytes that are not text. */
  encoding: z.enum(['text', 'base64']),
  value: z.string().max(maxSecretBytes * 2),
  hosts: z.array(host).min(1).max(64),
  place: placeSchema.optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type StoredEntry = z.infer<typeof entrySchema>

const documentSchema = z.strictObject({
  schemaVersion: z.literal(vaultVersion),
  entries: z
    .array(entrySchema)
    .max(maxEntries)
    .refine((entries) => new Set(entries.map((each) => each.name)).size === entries.length),
})
export type VaultDocument = z.infer<typeof documentSchema>

/**
 * Parses the decrypted content of a vault file. No error quotes any of it.
 * @throws PaddockError FILES_FAILED if it is not a vault, or is from a newer version
 */
export function parseDocument(plain: Uint8Array, file: string): VaultDocument {
  const value = json(plain)
  refuseNewer(file, value, vaultVersion)
  const parsed = documentSchema.safeParse(value)
  if (parsed.success && parsed.data.entries.every(fits)) return parsed.data
  const where = parsed.success ? 'a value' : parsed.error.issues[0]?.path.join('.') || 'all of it'
  throw new PaddockError('FILES_FAILED', `${file} can be opened, but its content is not a Paddock vault (${where}); it was not changed.`, {
    hint: 'Restore it from a backup, or move it away and make a new one: paddock vault init',
  })
}

/** Returns the bytes of a stored value. */
export function valueBytes(entry: Pick<StoredEntry, 'encoding' | 'value'>): Buffer {
  return Buffer.from(entry.value, entry.encoding === 'text' ? 'utf8' : 'base64')
}

/** Returns a value as text if the text decodes to exactly these bytes, else as base64. */
export function storedValue(bytes: Buffer): Pick<StoredEntry, 'encoding' | 'value'> {
  const text = bytes.toString('utf8')
  if (Buffer.from(text, 'utf8').equals(bytes)) return { encoding: 'text', value: text }
  return { encoding: 'base64', value: bytes.toString('base64') }
}

function fits(entry: StoredEntry): boolean {
  const bytes = valueBytes(entry)
  return bytes.length > 0 && bytes.length <= maxSecretBytes && (entry.encoding === 'text' || bytes.toString('base64') === entry.value)
}

function json(plain: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain))
  } catch {
    return undefined
  }
}
