import { redact } from '../../base/errors.ts'

/**
 * Returns the same data without live secrets and without text that looks like a credential, because judges and programs may write down
 * secrets that they were given.
 */
export function withoutSecrets<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) => (typeof value === 'string' ? redact(value) : value)) as T
}
