import { stat } from 'node:fs/promises'
import path from 'node:path'

/** Returns the PATH directories of the real agent CLIs that `npm install` installed here; none if it was not run. */
export async function realCliDirectories(): Promise<readonly string[]> {
  const directory = path.join(import.meta.dirname, 'node_modules', '.bin')
  const found = await stat(directory).catch(() => null)
  return found?.isDirectory() ? [directory] : []
}
