import { maskShapes } from '../secrets/looks-secret.ts'
import { maskSecrets } from '../secrets/secret.ts'

/** The exit codes of every `paddock` command (docs/reference/exit-codes.md). */
export const exitCodes = {
  done: 0,
  no: 1,
  badInput: 2,
  timedOut: 124,
  cannot: 125,
  notRunnable: 126,
  notFound: 127,
  cancelled: 130,
} as const

/**
 * The name of an environment variable. With `json`, errors are one JSON object on the last line of standard error, for programs that start
 * Paddock.
 */
export const errorsVariable = 'PADDOCK_ERRORS'

/** The stable codes of errors that a user can see, each with its exit code. */
export const errorExitCodes = {
  BAD_INPUT: exitCodes.badInput,
  NOT_ALLOWED: exitCodes.badInput,
  TOPIC_REFUSED: exitCodes.badInput,
  NOT_FOUND: exitCodes.badInput,
  CONFLICT: exitCodes.no,
  BUSY: exitCodes.cannot,
  UNENFORCEABLE: exitCodes.cannot,
  CELL_FAILED: exitCodes.cannot,
  FILES_FAILED: exitCodes.cannot,
  AGENT_NOT_INSTALLED: exitCodes.notFound,
  LOGIN_NEEDED: exitCodes.cannot,
  LOGIN_NOT_RENEWED: exitCodes.cannot,
  VAULT_LOCKED: exitCodes.cannot,
  WRONG_PASSPHRASE: exitCodes.badInput,
  TOO_MANY_TRIES: exitCodes.cannot,
  CREDENTIAL_FAILED: exitCodes.cannot,
  CANCELLED: exitCodes.cancelled,
} as const

export type ErrorCode = keyof typeof errorExitCodes

/**
 * An error that a user can see: a stable code, one sentence that names the place, and a hint that can be
 * pasted or followed. Internal errors stay plain `Error`s.
 */
export class PaddockError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(redact(message), 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'PaddockError'
    this.code = code
    this.hint = options.hint === undefined ? undefined : redact(options.hint)
  }

  get exitCode(): number {
    return errorExitCodes[this.code]
  }
}

/** Returns the error that a command printed on standard error, with `errorsVariable` set to `json`. */
export function printedError(stderr: string): PaddockError {
  try {
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
      error: { code: string; message: string; hint: string | null }
    }
    const code = Object.hasOwn(errorExitCodes, error.code) ? (error.code as ErrorCode) : 'CELL_FAILED'
    return new PaddockError(code, error.message, error.hint === null ? {} : { hint: error.hint })
  } catch {
    return new PaddockError('CELL_FAILED', 'The command ended without an answer.')
  }
}

/** Removes every known secret, and text that looks like a credential, from text that is about to be shown or stored. */
export function redact(text: string): string {
  return maskShapes(maskSecrets(text))
}

/** Returns the message of any thrown value, without its stack. */
export function messageOf(thrown: unknown): string {
  return redact(thrown instanceof Error ? thrown.message : String(thrown))
}

/** Returns the code of a system's error, such as `ENOENT` (errno(3)); undefined for another error. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
