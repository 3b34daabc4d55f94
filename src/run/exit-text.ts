import { constants } from 'node:os'

/**
 * Returns the name of signal n for the exit code 128 + n, as in a shell, or null for other codes. It is unknown whether a signal ended the
 * program or the program chose that code, because bwrap reports both in the same way.
 */
export function signalMeant(code: number): string | null {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null
}

/** Returns an exit code for people: `3`, or `130 (128 + SIGINT)`. */
export function exitText(code: number): string {
  const signal = signalMeant(code)
  return signal === null ? String(code) : `${code} (128 + ${signal})`
}
