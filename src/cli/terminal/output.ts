import { errorsVariable, messageOf, PaddockError, redact } from '../../errors.ts'
import { printable } from '../../text.ts'
import { terminalReset } from './terminal-reset.ts'

let shared = false

/** Called before a cell writes to the terminal of this process: from then on, lines of Paddock's own undo what would hide them there. */
export function shareTerminal(): void {
  shared = true
}

/** Writes to standard error what the user must be able to read, whatever a cell has written there before. */
export function writeReadable(text: string): void {
  process.stderr.write(shared && process.stderr.isTTY === true ? `${terminalReset('text')}${text}` : text)
}

/** Paddock's own lines go to standard error, so that an agent's output and `--json` stay alone on standard output. */
export function say(line: string): void {
  writeReadable(`paddock: ${printable(line)}\n`)
}

/** One sentence, and how to go on. Programmer errors come with their stack, because they are ours. */
export function printError(error: unknown): void {
  if (process.env[errorsVariable] === 'json') {
    const { code, hint } = error instanceof PaddockError ? error : { code: 'CELL_FAILED', hint: undefined }
    process.stderr.write(`${JSON.stringify({ schemaVersion: 1, error: { code, message: messageOf(error), hint: hint ?? null } })}\n`)
    return
  }
  if (error instanceof PaddockError) {
    writeReadable(`paddock: ${error.message.split('\n').map(printable).join('\n')}\n`)
    if (error.hint !== undefined) process.stderr.write(`  hint: ${printable(error.hint)}\n`)
    return
  }
  writeReadable(`paddock: this is a fault of Paddock: ${messageOf(error)}\n`)
  if (error instanceof Error && error.stack !== undefined) process.stderr.write(`${redact(error.stack)}\n`)
}

/** The data of a command, for `--json`. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}
