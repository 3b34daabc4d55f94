import { lstat, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { own } from '../../files/directory-owner.ts'
import { takeLock } from '../../files/lock.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { readContest } from '../config/brief.ts'
import { refuseLinkedRecords } from '../config/refuse-linked-records.ts'
import { neverRun } from '../run/stage.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { contestLock } from '../state/contest-lock.ts'
import { readStatus } from '../state/contest-state.ts'
import { scratchOf } from '../state/scene.ts'
import { put } from './put.ts'
import { refuseSecrets } from './refuse-secrets.ts'
import { type TakenFile, takeFiles } from './take-files.ts'

export interface ArchiveOptions {
  readonly withLogs: boolean
  readonly format: 'tar' | 'dir'
  /** The absolute path of the archive, which must not exist yet. */
  readonly out: string
  /** True: the archive is made even if it contains text that looks like a secret. */
  readonly allowSecrets: boolean
}

export interface Archived {
  readonly schemaVersion: 1
  readonly contest: string
  readonly out: string
  readonly files: readonly TakenFile[]
  /** The number of files of the contest that are not in the archive. */
  readonly leftOut: number
  /** Files that could not be searched for secrets, with the reasons. */
  readonly notSearched: readonly { readonly path: string; readonly why: string }[]
}

/**
 * `contest archive`: writes the results of a contest as a tar archive or directory to share, with a manifest.json that has the SHA-256 of
 * each file. Files are chosen by an allowlist. Nothing is written if they or the sealed work contain a secret.
 * @throws PaddockError CONFLICT if `out` exists, NOT_ALLOWED with the locations of secrets, BUSY while another process works on the contest
 */
export async function archiveContest(
  directory: string,
  deps: Pick<ContestDeps, 'paths' | 'env'>,
  options: ArchiveOptions,
): Promise<Archived> {
  const contest = await readContest(directory)
  const { layout, config } = contest
  await refuseLinkedRecords(layout)
  if ((await lstat(options.out).catch(() => null)) !== null)
    throw new PaddockError('CONFLICT', `${options.out} already exists.`, { hint: 'Name another file with --out' })
  using _lock = await takeLock({
    file: await contestLock(layout, deps.paths),
    what: `The contest in ${layout.root}`,
    command: 'paddock contest archive',
  })
  const status = await readStatus(layout)
  if (status === null) throw neverRun(directory)
  const scratch = scratchOf(deps, layout.root)
  await removeTree(scratch)
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    await own(scratch)
    const copy = path.join(scratch, 'archive', config.name)
    const { files, leftOut } = await takeFiles(contest, status, copy, options.withLogs)
    const notSearched = await refuseSecrets(contest, deps, files, { copy, scratch }, options.allowSecrets)
    const about = { schemaVersion: 1, contest: config.name, files, leftOut, notSearched } as const
    await writeJson(path.join(copy, 'manifest.json'), about)
    await put(path.dirname(copy), options)
    return { ...about, out: options.out }
  } finally {
    await removeTree(scratch).catch(() => {})
  }
}
