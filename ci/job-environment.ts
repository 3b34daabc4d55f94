import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { shortestNeedle } from '../src/secrets/finder.ts'
import { looksSecret } from '../src/secrets/looks-secret.ts'
import { Secret } from '../src/secrets/secret.ts'
import type { CiSystem } from './ci-system.ts'

/** What programs of a job for a fork may have: nothing that could be a credential or lead to one. */
const harmless = /^(?:PATH|LANG|LC_[A-Z]+|TZ|TERM|USER|LOGNAME|SHELL|TMPDIR|CI|NO_COLOR|COLUMNS)$/

/**
 * Returns the environment for Paddock. Its state is in `home`, so that the audit log is that of this job. Without a usable home directory,
 * and for a fork, the home is an empty one: there are no stored logins, no vault and no trust in it.
 */
export function jobEnvironment(system: CiSystem, home: string, { isWithout }: { readonly isWithout: boolean }): Record<string, string> {
  const { env } = system
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || system.isOwnVariable(name) || (isWithout && !harmless.test(name)) ? [] : [[name, value] as const],
  )
  const own: Record<string, string> = Object.fromEntries(given)
  if (isWithout || !isUsable(env['HOME'])) {
    own['HOME'] = path.join(home, 'user')
    mkdirSync(own['HOME'], { recursive: true, mode: 0o700 })
  }
  own['PADDOCK_HOME'] ??= path.join(home, 'paddock')
  mkdirSync(own['PADDOCK_HOME'], { recursive: true, mode: 0o700 })
  return { ...own, PADDOCK_ERRORS: 'json', PADDOCK_QUESTIONS: 'off' }
}

/** Has every secret in the environment removed from texts that the job prints or writes, and from the log of the system. */
export function hideSecrets(system: CiSystem): void {
  for (const [name, value = ''] of Object.entries(system.env)) {
    if (!looksSecret(name)) continue
    for (const each of new Set([value, ...value.split(/\r?\n/)])) {
      if (Buffer.byteLength(each) < shortestNeedle) continue
      Secret.fromText(name, each)
      system.hide(each)
    }
  }
}

function isUsable(home: string | undefined): boolean {
  return home !== undefined && path.isAbsolute(home) && canWrite(home)
}

/** Returns true for a directory in which this user can create files. */
export function canWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK)
    return statSync(directory).isDirectory()
  } catch {
    return false
  }
}
