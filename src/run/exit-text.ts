import { constants } from 'node:os'

/**
 * Returns the signal n that a shell means by the exit code 128 + n; null for other codes. Whether a signal ended the program, or it chose that
 * code itself, is not known: bwrap reports both as the code.
 */
export function signalMeant(code: number): string | null {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null
}

/** Returns an exit code for people: `3`, or `130 (128 + SIGINT)`. */
export function exitText(code: number): string {
  const signal = signalMeant(code)
  return signal === null ? String(code) : `${code} (128 + ${signal})`
}
