import { Option } from 'commander'

/** Returns an option that takes one of these values. Help and completions list them, and other values are refused. */
export function choice(flags: string, description: string, values: readonly string[], byDefault?: string): Option {
  return new Option(flags, description).choices(values).default(byDefault)
}
