import { redact } from '../../errors.ts'

/** The same data with every living secret, and what looks like a credential, cut out of its texts: judges and programs may write down what they were given. */
export function withoutSecrets<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) => (typeof value === 'string' ? redact(value) : value)) as T
}
