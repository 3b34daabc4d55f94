import { spawn } from '../../../system/start.ts'

/** Maximum size of the output in bytes. */
const most = 256 * 1024 ** 2

/**
 * Runs find(1) in these directories, without following links, in another process, because this one goes on meanwhile. `words`: the
 * expression, whose output are parts that end with a null byte. Returns the parts, one character for each byte. Null: find is not the one of
 * GNU, did not come to the end, or found too much.
 */
export async function foundBy(find: string, roots: readonly string[], words: readonly string[]): Promise<readonly string[] | null> {
  // The last starting point shows that the search is complete.
  const all = ['-P', ...roots, '/', '-path', '/', '-printf', 'end\\0', '-prune', '-o', ...words]
  const child = spawn(find, all, { stdio: ['ignore', 'pipe', 'ignore'], cwd: '/', env: { LC_ALL: 'C' } })
  const chunks: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
    else child.kill()
  })
  await new Promise<void>((resolve) => child.once('error', () => resolve()).once('close', () => resolve()))
  const parts = Buffer.concat(chunks).toString('latin1').split('\0')
  return parts.at(-2) === 'end' ? parts.slice(0, -2) : null
}
