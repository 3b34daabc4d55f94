import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'

/**
 * The file that a report goes to, with its directory opened before the cell starts: the cell may be able to write
 * there, and must not lead the report elsewhere by a link in place of the file or of a directory above it.
 */
export function openReportFile(file: string): { write(value: unknown): void } {
  const absolute = path.resolve(file)
  let directory: number
  try {
    directory = openSync(path.dirname(absolute), constants.O_RDONLY | constants.O_DIRECTORY)
  } catch (cause) {
    throw new PaddockError('BAD_INPUT', `--report ${file}: there is no such directory.`, {
      hint: 'Make it first, or give another file.',
      cause,
    })
  }
  const inDirectory = process.platform === 'linux' ? `/proc/self/fd/${directory}` : path.dirname(absolute)
  return {
    write(value) {
      const temporary = `${inDirectory}/.${path.basename(absolute)}.${randomBytes(6).toString('hex')}.tmp`
      writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx' })
      renameSync(temporary, `${inDirectory}/${path.basename(absolute)}`)
      closeSync(directory)
    },
  }
}
