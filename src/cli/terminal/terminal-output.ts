import { type ErrorCode, errorsVariable, messageOf, PaddockError, redact } from '../../base/errors.ts'
import { printable } from '../../base/text.ts'
import { terminalReset } from './terminal-reset.ts'

let shared = false

/** Declares that a cell will write to the terminal of this process. After that, Paddock's own lines undo settings that would hide them. */
export function shareTerminal(): void {
  shared = true
}

/** Writes to standard error in a form that stays readable, whatever a cell has written to the terminal before. */
export function writeReadable(text: string): void {
  process.stderr.write(shared && process.stderr.isTTY === true ? `${terminalReset('text')}${text}` : text)
}

/** Prints one of Paddock's own lines to standard error, so that standard output contains only an agent's output or JSON. */
export function say(line: string): void {
  writeReadable(`paddock: ${printable(line)}\n`)
}

let asJson = process.env[errorsVariable] === 'json'

/** Makes all later errors of this process JSON, for commands that were asked for JSON. */
export function printErrorsAsJson(): void {
  asJson = true
}

/**
 * Prints the stable code, one sentence and a hint to standard error, as text or as one JSON object on the last line. Internal errors are
 * printed with their stack traces.
 */
export function printError(error: unknown): void {
  const known = error instanceof PaddockError ? error : null
  if (asJson) return printJsonError(known?.code ?? 'CELL_FAILED', messageOf(error), known?.hint)
  if (known !== null) {
    writeReadable(`paddock: ${known.code}: ${known.message.split('\n').map(printable).join('\n')}\n`)
    if (known.hint !== undefined) process.stderr.write(`  hint: ${printable(known.hint)}\n`)
    return
  }
  writeReadable(`paddock: internal error, please report it: ${messageOf(error)}\n`)
  if (error instanceof Error && error.stack !== undefined) process.stderr.write(`${redact(error.stack)}\n`)
}

/** Prints an error as JSON, for programs. */
export function printJsonError(code: ErrorCode, message: string, hint?: string): void {
  process.stderr.write(`${JSON.stringify({ schemaVersion: 1, error: { code, message, hint: hint ?? null } })}\n`)
}

/** Prints the data of a command for `--json`, on a single line if `isLine`. */
export function printJson(value: unknown, isLine = false): void {
  process.stdout.write(`${isLine ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`)
}
