import { PaddockError } from '../base/errors.ts'

/** The error about a file in a format of a newer Paddock. */
export class NewerFile extends PaddockError {
  constructor(file: string, version: number, newest: number) {
    super(
      'FILES_FAILED',
      `${file} was written by a newer Paddock (schemaVersion ${version}; this one reads ${newest}), and was not changed.`,
      {
        hint: 'Install the newer Paddock',
      },
    )
  }
}

/**
 * Checks the version of a stored value before anything else reads it, because code that treats the file of a newer version as broken or
 * missing would replace it. `newest`: the newest `schemaVersion` that this Paddock reads.
 * @throws NewerFile if a newer Paddock wrote it
 */
export function refuseNewer(file: string, value: unknown, newest = 1): void {
  const version = typeof value === 'object' && value !== null ? (value as { schemaVersion?: unknown }).schemaVersion : undefined
  if (typeof version === 'number' && version > newest) throw new NewerFile(file, version, newest)
}

/** A schema of zod. */
interface Schema<T> {
  parse(value: unknown): T
}

/**
 * Returns the value of a JSON text that Paddock stored.
 * @throws NewerFile if a newer Paddock wrote it; another error if it is not JSON or does not fit the schema
 */
export function parseStored<T>(file: string, text: string | Buffer, schema: Schema<T>, newest = 1): T {
  const value: unknown = JSON.parse(text.toString('utf8'))
  refuseNewer(file, value, newest)
  return schema.parse(value)
}

/**
 * Returns the value of a JSON text that Paddock stored; null without a text, and for one that is not JSON or does not fit the schema.
 * @throws NewerFile if a newer Paddock wrote it
 */
export function storedOrNull<T>(file: string, text: string | Buffer | null, schema: Schema<T>, newest = 1): T | null {
  if (text === null) return null
  try {
    return parseStored(file, text, schema, newest)
  } catch (error) {
    if (error instanceof NewerFile) throw error
    return null
  }
}
