import { readRegularSync } from '../../files/read-regular.ts'
import { looksSecret } from '../../secrets/looks-secret.ts'
import { Secret } from '../../secrets/secret.ts'

/** The variables and files of a cell that may contain credentials. */
export interface Given {
  /** Variables from the user's environment, or with an explicit value, by name. */
  readonly env: Readonly<Record<string, string>>
  /** Variables from which an agent reads its credentials. */
  readonly credentialNames: readonly string[]
  /** Files from which an agent reads its login, as absolute paths on the host. */
  readonly files: readonly string[]
}

const mostFileBytes = 1024 * 1024
const shortestInFile = 16
const mostFromFile = 100

/**
 * Returns the values that count as credentials, for a scan of the cell's output. These variables count: those from which an agent reads its
 * credential, those whose name indicates a secret, and those whose value has the form of a token. In JSON login files, whose format depends
 * on the agent, every string of sixteen characters or more counts that is not a date, an address or a list of words. In other login files,
 * every such word counts. The caller must dispose of them.
 */
export function inPlay({ env, credentialNames, files }: Given): Secret[] {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(env)) {
    if (credentialNames.includes(name) || looksSecret(name, value)) found.set(value, name)
  }
  for (const file of new Set(files)) {
    const text = readRegularSync(file, mostFileBytes)
    if (text === null) continue
    for (const [at, value] of stringsIn(text).entries())
      if (!found.has(value)) found.set(value, `${file.slice(file.lastIndexOf('/') + 1)}#${at + 1}`)
  }
  return [...found].filter(([value]) => value !== '').map(([value, name]) => Secret.fromText(name, value))
}

function stringsIn(text: string): readonly string[] {
  const found: string[] = []
  const look = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (isToken(value)) found.push(value)
    } else if (typeof value === 'object' && value !== null && depth < 20) for (const each of Object.values(value)) look(each, depth + 1)
  }
  try {
    look(JSON.parse(text), 0)
  } catch {
    for (const each of text.split(/[\s"',;=<>(){}[\]]+/)) if (isToken(each)) found.push(each)
  }
  return [...new Set(found)].slice(0, mostFromFile)
}

function isToken(value: string): boolean {
  return (
    value.length >= shortestInFile &&
    (!/\s/.test(value) || value.includes('-----BEGIN ')) &&
    !/^\d{4}-\d\d-\d\d[T ]/.test(value) &&
    !/^https?:\/\/[^@]*$/.test(value) &&
    !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value) &&
    !/^[a-z]+([:._-][a-z]+)*$/.test(value)
  )
}
