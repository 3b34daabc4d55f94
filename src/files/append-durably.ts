import { closeSync, constants, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

/** Appends a text to a private file (0600), which is created with its directory if necessary. The text is on the disk when this returns. */
export function appendDurably(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
