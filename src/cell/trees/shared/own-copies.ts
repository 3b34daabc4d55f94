import { statfsSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PaddockError } from '../../../base/errors.ts'
import { printableName } from '../../../base/text.ts'
import { inDirectories } from '../../../files/in-directory.ts'
import { requireHostProgram } from '../../../system/host-program.ts'
import { spawn } from '../../../system/start-program.ts'
import type { SharedFile } from '../../plan/shared-files.ts'

const program = fileURLToPath(new URL('./own-copies.pl', import.meta.url))
const hint = 'Fix that, or leave the files shared for one run with --deps rw'

/**
 * Replaces files by copies of themselves, so that their names outside of the project lead to other files (`own-copies.pl`). A file that
 * changes meanwhile is left.
 * @throws PaddockError `UNENFORCEABLE` with the file and the reason. Until then, nothing was changed, or only replaced by a copy.
 */
export async function makeOwnCopies(files: readonly SharedFile[], signal: AbortSignal | undefined): Promise<void> {
  if (process.platform !== 'linux')
    throw new PaddockError(
      'UNENFORCEABLE',
      'Other directories share files of the project by hard links, and they can only be copied on Linux.',
      { hint },
    )
  const perl = requireHostProgram('perl', '', 'to give files that other directories share their own copies')
  refuseWithoutRoom(files)
  const child = spawn(perl, ['-t', program], { stdio: ['pipe', 'pipe', 'ignore'], cwd: '/', env: {} })
  const onAbort = (): void => void child.kill()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
    let output = ''
    child.stdout.setEncoding('latin1').on('data', (chunk: string) => (output += chunk))
    child.stdin.on('error', () => undefined)
    child.stdin.end(Buffer.from(files.map(({ paths }) => `${paths.join('\0')}\0\0`).join(''), 'latin1'))
    const code = await ended
    signal?.throwIfAborted()
    const [file = '', why = ''] = output.split('\0')
    if (code === 0 && output === '') return
    const named = output === '' ? 'A file' : printableName(Buffer.from(file, 'latin1'))
    throw new PaddockError(
      'UNENFORCEABLE',
      `${named} is shared with another directory by a hard link and ${why === '' ? 'cannot be copied' : why}, so the cell could change it there.`,
      { hint },
    )
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Removes names that a killed Paddock left. Nobody may make own copies meanwhile. */
export function removeLeft(left: readonly string[]): void {
  const files = left.map((each) => Buffer.from(each, 'latin1').toString())
  inDirectories(
    files,
    (safe) => unlinkSync(safe),
    () => undefined,
  )
}

/** Copies need room, except on file systems where files can share blocks. There, the check is too strict. */
function refuseWithoutRoom(files: readonly SharedFile[]): void {
  const needed = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const directory = path.dirname(Buffer.from(files[0]?.paths[0] ?? '/', 'latin1').toString())
  const { bavail, bsize } = statfsSync(directory)
  if (needed < bavail * bsize * 0.9) return
  throw new PaddockError('UNENFORCEABLE', `There is no room for own copies of the files that ${directory} shares by hard links.`, {
    hint: 'Free some space, or leave the files shared for one run with --deps rw',
  })
}
