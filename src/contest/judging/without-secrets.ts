import { redact } from '../../errors.ts'

/**
 * Returns the same data with live secrets, and text that looks like a credential, cut out: judges and programs may write down what they
 * were given.
 */
export function withoutSecrets<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) => (typeof value === 'string' ? redact(value) : value)) as T
}
