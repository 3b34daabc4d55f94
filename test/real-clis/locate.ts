import { stat } from 'node:fs/promises'
import path from 'node:path'

/** The PATH directories with the real agent CLIs that `npm install` put here; none where it was not run. */
export async function realCliDirectories(): Promise<readonly string[]> {
  const directory = path.join(import.meta.dirname, 'node_modules', '.bin')
  const found = await stat(directory).catch(() => null)
  return found?.isDirectory() ? [directory] : []
}
