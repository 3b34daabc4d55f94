import { type ErrorCode, errorsVariable, messageOf, PaddockError, redact } from '../../errors.ts'
import { printable } from '../../text.ts'
import { terminalReset } from './terminal-reset.ts'

let shared = false

/** Call before a cell writes to the terminal of this process. From then on, Paddock's own lines undo what would hide them there. */
export function shareTerminal(): void {
  shared = true
}

/** Writes to standard error so that the user can read it, whatever a cell has written there before. */
export function writeReadable(text: string): void {
  process.stderr.write(shared && process.stderr.isTTY === true ? `${terminalReset('text')}${text}` : text)
}

/** Prints one of Paddock's own lines to standard error, so that standard output holds only an agent's output or JSON. */
export function say(line: string): void {
  writeReadable(`paddock: ${printable(line)}\n`)
}

let asJson = process.env[errorsVariable] === 'json'

/** Call when a command was asked for JSON. From then on errors are JSON, too. */
export function printErrorsAsJson(): void {
  asJson = true
}

/**
 * Prints the stable code, one sentence and a hint to standard error: as text, or as one JSON object on the last line. Internal errors are
 * printed with their stack.
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

/** Prints the data of a command, for `--json`; as one line if it is one of many. */
export function printJson(value: unknown, isLine = false): void {
  process.stdout.write(`${isLine ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`)
}
