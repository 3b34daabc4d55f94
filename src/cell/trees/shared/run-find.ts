import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { spawn } from '../../../system/start-program.ts'

const checkMs = 50

/**
 * Runs find(1) in these directories, without following links, in another process, because this one goes on meanwhile. `words`: the
 * expression, whose output are parts that end with a null byte. Returns the parts, one character for each byte. Null: find is not the one of
 * GNU, did not come to the end, or found more than `most` bytes of output.
 */
export async function foundBy(
  find: string,
  roots: readonly string[],
  words: readonly string[],
  most = 256 * 1024 ** 2,
): Promise<readonly string[] | null> {
  // The last starting point shows that the search is complete.
  const all = ['-P', ...roots, '/', '-path', '/', '-printf', 'end\\0', '-prune', '-o', ...words]
  let output: number
  try {
    output = unnamedFile()
  } catch {
    return null
  }
  try {
    // Into a file, because a full pipe would stop it while this process is busy.
    const child = spawn(find, all, { stdio: ['ignore', output, 'ignore'], cwd: '/', env: { LC_ALL: 'C' } })
    // A cell chooses how many names there are, and how long they are.
    const check = setInterval(() => fstatSync(output).size > most && child.kill('SIGKILL'), checkMs)
    await new Promise<void>((resolve) => child.once('error', () => resolve()).once('close', () => resolve()))
    clearInterval(check)
    const { size } = fstatSync(output)
    const bytes = Buffer.allocUnsafe(size <= most ? size : 0)
    if (readSync(output, bytes, 0, bytes.length, 0) !== size) return null
    const parts = bytes.toString('latin1').split('\0')
    return parts.at(-2) === 'end' ? parts.slice(0, -2) : null
  } finally {
    closeSync(output)
  }
}

/** Opens a file that has no name any more. */
function unnamedFile(): number {
  const file = path.join(tmpdir(), `paddock-find-${randomUUID()}`)
  const descriptor = openSync(file, 'wx+', 0o600)
  unlinkSync(file)
  return descriptor
}
