import { createReadStream } from 'node:fs'
import type { ReadStream } from 'node:tty'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { Secret } from '../../secrets/secret.ts'
import { isInherited } from './inherited-descriptor.ts'

const maxPassphrase = 1_024

/** Returns true if a secret can be typed without being shown. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Asks in the terminal, without echo. Returns the input unchanged. @throws PaddockError CANCELLED */
export async function askSecret(name: string, question: string): Promise<Secret> {
  const input = process.stdin
  // Set before the question is printed, because the user may type at once.
  input.setRawMode(true)
  try {
    process.stderr.write(`${question}: `)
    return await typed(input, name)
  } finally {
    input.setRawMode(false)
    input.pause()
    process.stderr.write('\n')
  }
}

function typed(input: ReadStream, name: string): Promise<Secret> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.alloc(64 * 1024)
    let size = 0
    const end = (act: () => void): void => {
      input.off('data', onData).off('end', onEnd)
      act()
      buffer.fill(0)
    }
    const cancelled = (): void => end(() => reject(new PaddockError('CANCELLED', 'Nothing was changed.')))
    const onEnd = (): void => cancelled()
    const onData = (chunk: Buffer): void => {
      for (const [at, byte] of chunk.entries()) {
        if (byte === 0x03 || (byte === 0x04 && size === 0)) return cancelled()
        if (byte === 0x0d || byte === 0x0a || byte === 0x04) {
          // Bytes after the line are the answer to the next question.
          const rest = Buffer.from(chunk.subarray(at + 1))
          end(() => resolve(Secret.take(name, Buffer.from(buffer.subarray(0, size)))))
          if (rest.length > 0) input.unshift(rest)
          return
        }
        if (byte === 0x7f || byte === 0x08) {
          // Removes a whole UTF-8 character. All of its bytes after the first have the form 10xxxxxx.
          while (size > 0 && ((buffer[size - 1] ?? 0) & 0xc0) === 0x80) size--
          size = Math.max(0, size - 1)
        } else if (byte === 0x15) size = 0
        else if (size < buffer.length) buffer[size++] = byte
      }
    }
    input.on('data', onData).on('end', onEnd)
    input.resume()
  })
}

/** Reads a stream to its end, or until more than `maxBytes` have been read. */
async function drain(stream: NodeJS.ReadableStream, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Buffer)
    chunks.push(bytes)
    size += bytes.length
    if (size > maxBytes) break
  }
  const all = Buffer.concat(chunks)
  for (const each of chunks) each.fill(0)
  return all
}

/** Reads a value from standard input, without its final newline. @throws PaddockError BAD_INPUT */
export async function valueFromInput(name: string, maxBytes: number): Promise<Secret> {
  const all = await drain(process.stdin, maxBytes + 1)
  const end = all.at(-1) !== 0x0a ? all.length : all.at(-2) === 0x0d ? all.length - 2 : all.length - 1
  const value = Secret.take(name, all.subarray(0, end))
  all.fill(0)
  return value
}

let inputLines: Promise<Buffer> | null = null

/** Reads the next line of standard input as a passphrase. The first line is the current passphrase, the second the new one. */
export async function passphraseFromInput(): Promise<Secret> {
  inputLines ??= drain(process.stdin, 2 * maxPassphrase)
  const all = await inputLines
  const end = all.indexOf(0x0a)
  inputLines = Promise.resolve(end < 0 ? Buffer.alloc(0) : all.subarray(end + 1))
  return passphraseOf(end < 0 ? all : all.subarray(0, end))
}

/** Reads the first line from this descriptor. @throws PaddockError BAD_INPUT */
export async function passphraseFromDescriptor(option: string, text: string): Promise<Secret> {
  const wrong = (why: string): PaddockError =>
    new PaddockError('BAD_INPUT', `${option} ${text}: ${why}`, {
      hint: `Give it by a file descriptor, for example: paddock vault list ${option} 3 3<passphrase-file`,
    })
  if (!/^\d{1,5}$/.test(text)) throw wrong('this is not the number of a file descriptor.')
  if (!isInherited(Number(text))) throw wrong('this descriptor is not open.')
  let all: Buffer
  try {
    all = await drain(createReadStream('', { fd: Number(text), autoClose: false }), maxPassphrase + 1)
  } catch (error) {
    throw wrong(`it cannot be read (${codeOf(error)}).`)
  }
  const end = all.indexOf(0x0a)
  return passphraseOf(end < 0 ? all : all.subarray(0, end))
}

function passphraseOf(bytes: Buffer): Secret {
  if (bytes.length > maxPassphrase) throw new PaddockError('BAD_INPUT', `A passphrase has at most ${maxPassphrase} bytes.`)
  return Secret.take('passphrase', bytes)
}
