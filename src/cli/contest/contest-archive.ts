import path from 'node:path'
import { resolvePaths } from '../../base/paths.ts'
import { formatSize } from '../../base/quantities.ts'
import { archiveContest } from '../../contest/archive/archive.ts'
import { readContest } from '../../contest/config/brief.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

interface ArchiveFlags {
  readonly withLogs?: boolean
  readonly format: 'tar' | 'dir'
  readonly out?: string
  readonly allowSecrets?: boolean
}

/** `paddock contest archive`: prints the name of the archive to standard output. */
export async function contestArchive(directory: string, options: ArchiveFlags): Promise<Answer<Result<'contest archive'>>> {
  const { format } = options
  const { config } = await readContest(directory)
  const out = path.resolve(options.out ?? `${config.name}${format === 'tar' ? '.tar' : '-archive'}`)
  const archived = await archiveContest(
    directory,
    { paths: resolvePaths(process.env), env: process.env },
    { withLogs: options.withLogs === true, format, out, allowSecrets: options.allowSecrets === true },
  )
  const bytes = archived.files.reduce((sum, { size }) => sum + size, 0)
  return {
    data: archived,
    lines: [out],
    notes: [
      ...archived.notSearched.slice(0, 20).map(({ path: file, why }) => `not searched for secrets: ${file} (${why})`),
      `${archived.files.length} files, ${formatSize(bytes)}; ${archived.leftOut} private files and directories of the contest are left out`,
    ],
  }
}
