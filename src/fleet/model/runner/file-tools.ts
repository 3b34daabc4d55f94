import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The most bytes of a file that are read. */
const mostBytes = 16 * 1024 * 1024
/** The most lines in one answer, and the most characters in a line. */
const [mostLines, longestLine] = [2_000, 2_000]
const mostAnswer = 64 * 1024

/** Returns lines of a text file, with their numbers. `offset`: the first line, counted from 1. */
export async function fileRead(input: { readonly path: string; readonly offset?: number; readonly limit?: number }): Promise<string> {
  const text = await textOf(input.path)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const from = Math.max(1, input.offset ?? 1)
  const shown: string[] = []
  let size = 0
  for (const line of lines.slice(from - 1, from - 1 + Math.min(mostLines, input.limit ?? mostLines))) {
    const cut = line.length > longestLine ? `${line.slice(0, longestLine)}… (${line.length} characters)` : line
    size += cut.length
    if (size > mostAnswer) break
    shown.push(`${from + shown.length}\t${cut}`)
  }
  const last = from - 1 + shown.length
  if (lines.length === 0) return '[the file is empty]'
  if (shown.length === 0) return `[it has ${lines.length} lines]`
  return last < lines.length || from > 1 ? `${shown.join('\n')}\n[lines ${from} to ${last} of ${lines.length}]` : shown.join('\n')
}

/** Writes a file, and creates the directories above it. */
export async function fileWrite(input: { readonly path: string; readonly content: string }): Promise<string> {
  await mkdir(path.dirname(path.resolve(input.path)), { recursive: true })
  await writeFile(input.path, input.content)
  return `wrote ${Buffer.byteLength(input.content)} bytes`
}

/** Replaces a text that occurs once in the file, or all occurrences with `all`. */
export async function fileEdit(input: {
  readonly path: string
  readonly old: string
  readonly new: string
  readonly all?: boolean
}): Promise<string> {
  const text = await textOf(input.path)
  const count = input.old === '' ? 0 : text.split(input.old).length - 1
  if (count === 0) throw new Error('The text to replace is not in the file.')
  if (count > 1 && input.all !== true) throw new Error(`The text to replace is ${count} times in the file: give more of it, or all: true.`)
  await writeFile(
    input.path,
    text.replaceAll(input.old, () => input.new),
  )
  return `replaced ${count} time${count === 1 ? '' : 's'}`
}

async function textOf(file: string): Promise<string> {
  // Do not wait for the other end of a named pipe.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const bytes = await contentOf(handle)
  if (bytes.subarray(0, 8192).includes(0)) throw new Error(`It is a binary file of ${bytes.length} bytes.`)
  return new TextDecoder().decode(bytes)
}

async function contentOf(handle: FileHandle): Promise<Buffer> {
  const facts = await handle.stat()
  if (!facts.isFile()) throw new Error(facts.isDirectory() ? 'It is a directory.' : 'It is not a regular file.')
  if (facts.size > mostBytes) throw new Error(`It has ${facts.size} bytes; the maximum is ${mostBytes}. Use bash for parts of it.`)
  const bytes = Buffer.alloc(mostBytes)
  let size = 0
  // Files in /proc report a size of 0.
  for (;;) {
    const { bytesRead } = await handle.read(bytes, size, bytes.length - size, null)
    size += bytesRead
    if (bytesRead === 0 || size === bytes.length) return bytes.subarray(0, size)
  }
}
