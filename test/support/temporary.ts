import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freshDirectory } from './fresh-directory.ts'

/** Creates a directory that is removed when its scope ends. */
export async function temporary(): Promise<AsyncDisposable & { readonly path: string; at(...names: string[]): string }> {
  const root = freshDirectory(path.join(tmpdir(), 'paddock-test-'))
  return {
    path: root,
    at: (...names) => path.join(root, ...names),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}
