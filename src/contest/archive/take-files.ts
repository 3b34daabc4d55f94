import { closeSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { utf8Text } from '../../base/text.ts'
import { HashedCopier } from '../../files/copy-hashed.ts'
import { walk } from '../../files/walk.ts'
import type { Contest } from '../config/brief.ts'
import { readYours } from '../judging/yours/your-answers.ts'
import type { ContestStatus } from '../state/contest-state.ts'
import { isComplete } from '../state/counted-judging.ts'
import { isArchived, isClosed } from './allowed-entries.ts'

/** One file of an archive. Its path is relative to the contest. */
export interface TakenFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

const [mostEntries, maxDepth] = [2_000_000, 64]

/** Copies the archived files into `copy` without following links. */
export async function takeFiles(
  { layout }: Contest,
  status: ContestStatus,
  copy: string,
  withLogs: boolean,
): Promise<{ readonly files: readonly TakenFile[]; readonly leftOut: number }> {
  const yours = await readYours(layout, status.round)
  const complete = [
    ...(isComplete(status.tasks) ? [`judging/${status.judging}`] : []),
    ...(status.complete === undefined ? [] : [`judging/${status.complete.judging}`]),
    ...(yours !== null && yours.answers.size === yours.mapping.tasks.length ? [`judging/you/${status.round}`] : []),
  ]
  const copier = new HashedCopier()
  const files: TakenFile[] = []
  let leftOut = 0
  await mkdir(copy, { recursive: true, mode: 0o700 })
  for await (const entry of walk(layout.root, { maxEntries: mostEntries, maxDepth })) {
    const name = utf8Text(Buffer.concat(entry.names.flatMap((each, index) => (index === 0 ? [each] : [Buffer.from('/'), each]))))
    if (entry.kind === 'directory') {
      if (name === null || isClosed(name)) {
        leftOut += 1
        entry.skip()
      }
      continue
    }
    if (entry.kind !== 'file' || name === null || !isArchived(name, withLogs, complete)) {
      leftOut += 1
      continue
    }
    const target = path.join(copy, name)
    await mkdir(path.dirname(target), { recursive: true })
    const descriptor = entry.open()
    try {
      const copied = await copier.copy(descriptor, target, 0o644, Number.MAX_SAFE_INTEGER)
      if (copied !== null) files.push({ path: name, ...copied })
    } finally {
      closeSync(descriptor)
    }
  }
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), leftOut }
}
