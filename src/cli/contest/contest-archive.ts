import path from 'node:path'
import { archiveContest } from '../../contest/archive/archive.ts'
import { readContest } from '../../contest/config/brief.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { resolvePaths } from '../../paths.ts'
import { formatSize } from '../../quantities.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'

interface ArchiveFlags {
  readonly withLogs?: boolean
  readonly format: string
  readonly out?: string
  readonly allowSecrets?: boolean
  readonly json?: boolean
}

/** `paddock contest archive`: the name of what was made to standard output. */
export async function contestArchive(directory: string, options: ArchiveFlags): Promise<number> {
  const { format } = options
  if (format !== 'tar' && format !== 'dir')
    throw new PaddockError('BAD_INPUT', `--format ${format}: it must be tar or dir.`, { hint: 'Leave it out for tar' })
  const { config } = await readContest(directory)
  const out = path.resolve(options.out ?? `${config.name}${format === 'tar' ? '.tar' : '-archive'}`)
  const archived = await archiveContest(
    directory,
    { paths: resolvePaths(process.env), env: process.env },
    { withLogs: options.withLogs === true, format, out, allowSecrets: options.allowSecrets === true },
  )
  if (options.json === true) {
    printJson(archived)
    return exitCodes.done
  }
  for (const { path: file, why } of archived.notSearched.slice(0, 20)) say(`not searched for secrets: ${file} (${why})`)
  const bytes = archived.files.reduce((sum, { size }) => sum + size, 0)
  say(
    `${archived.files.length} files, ${formatSize(bytes)}; ${archived.leftOut} files and directories of the contest are private and not in it`,
  )
  process.stdout.write(`${printable(out)}\n`)
  return exitCodes.done
}
