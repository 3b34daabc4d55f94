import { createHash } from 'node:crypto'
import { PaddockError } from '../base/errors.ts'
import type { OwnRepository } from '../cell/trees/own-repository.ts'

/**
 * Throws if a directory of one of these commits has other content than its ID says. A cell can write the objects of its repository, git does not
 * compare them when it reads a directory, and a comparison of two commits leaves out directories with the same ID.
 * @throws PaddockError NOT_ALLOWED
 */
export async function refuseForged(git: OwnRepository, commits: readonly string[], repository: string): Promise<void> {
  const listed = await Promise.all(commits.map((each) => git.run(['ls-tree', '-r', '-d', '-z', '--full-tree', each])))
  const roots = await Promise.all(commits.map((each) => git.run(['rev-parse', '--verify', `${each}^{tree}`])))
  const rows = listed.flatMap((each) => each.toString('latin1').split('\0'))
  const below = rows.flatMap((row) => /^040000 tree ([0-9a-f]+)\t/.exec(row)?.[1] ?? [])
  const ids = [...new Set([...roots.map((each) => String(each).trim()), ...below])]
  const contents = await git.run(['cat-file', '--batch'], { input: `${ids.join('\n')}\n` })
  let at = 0
  for (const id of ids) {
    const end = contents.indexOf('\n', at)
    const size = Number(/^[0-9a-f]+ tree (\d+)$/.exec(contents.toString('latin1', at, end))?.[1] ?? Number.NaN)
    const content = contents.subarray(end + 1, end + 1 + size)
    const hash = createHash(id.length === 64 ? 'sha256' : 'sha1')
      .update(`tree ${size}\0`)
      .update(content)
    if (Number.isNaN(size) || hash.digest('hex') !== id)
      throw new PaddockError('NOT_ALLOWED', `The object ${id} of ${repository} has other content than its ID says.`, {
        hint: `A cell may have written it. Look at what it replaced: git -C ${repository} fsck`,
      })
    at = end + 1 + size + 1
  }
}
