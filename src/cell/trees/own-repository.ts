import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Creates an empty git directory of Paddock's own, for queries about the objects of another one (`ownGit`). */
export function makeOwnRepository(directory: string, isSha256: boolean): void {
  for (const each of ['objects', 'refs']) mkdirSync(path.join(directory, each), { recursive: true })
  writeFileSync(path.join(directory, 'HEAD'), 'ref: refs/heads/none\n')
  writeFileSync(
    path.join(directory, 'config'),
    `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n${isSha256 ? '[extensions]\n\tobjectFormat = sha256\n' : ''}`,
  )
}
