import { readdirSync } from 'node:fs'

/** Returns directory entries; empty if the directory cannot be read. */
export function entriesOf(directory: string): ReturnType<typeof readDirectory> {
  try {
    return readDirectory(directory)
  } catch {
    return []
  }
}

function readDirectory(directory: string) {
  return readdirSync(directory, { withFileTypes: true })
}
