import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Paths } from '../../base/paths.ts'
import { appendDurably } from '../../files/append-durably.ts'

const listOf = (paths: Pick<Paths, 'state'>): string => path.join(paths.state, 'own-directories')

/** Returns the recorded Paddock directories that are separate from the others. No cell may see them. */
export function ownElsewhere(paths: Pick<Paths, 'state'>): readonly string[] {
  try {
    return readFileSync(listOf(paths), 'utf8')
      .split('\0\n')
      .filter((each) => path.isAbsolute(each))
  } catch {
    return []
  }
}

/** Records a separate Paddock directory before anything is written to it. `directory`: absolute, without symbolic links. */
export function rememberOwn(directory: string, paths: Pick<Paths, 'state'>): void {
  if (!ownElsewhere(paths).includes(directory)) appendDurably(listOf(paths), `${directory}\0\n`)
}
