import { randomBytes } from 'node:crypto'
import { accessSync, closeSync, constants, openSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'

/** The file to which a report is written. */
export interface ReportFile {
  /** Writes the report; returns an error message if that fails, else null. */
  write(value: unknown): string | null
}

/**
 * Opens the directory of a report before the cell starts. The cell may be able to write there. It must not redirect the report with a
 * link in place of the file or of a parent directory.
 * @throws PaddockError BAD_INPUT if no report can be written there
 */
export function openReportFile(file: string): ReportFile {
  const absolute = path.resolve(file)
  const parent = path.dirname(absolute)
  const refuse = (what: string, hint: string, cause?: unknown): never => {
    throw new PaddockError('BAD_INPUT', `--report ${file}: ${what}.`, { hint, cause })
  }
  const there: Stats | undefined = statSync(absolute, { throwIfNoEntry: false })
  if (there?.isDirectory() === true) refuse('this is a directory', `Name a file in it: --report ${path.join(file, 'report.json')}`)
  if (there !== undefined && !there.isFile()) refuse('this is not a regular file', 'Give another file')
  let directory = -1
  try {
    directory = openSync(parent, constants.O_RDONLY | constants.O_DIRECTORY)
  } catch (cause) {
    refuse('there is no such directory', 'Create it first, or give another file', cause)
  }
  const inDirectory = process.platform === 'linux' ? `/proc/self/fd/${directory}` : parent
  try {
    accessSync(inDirectory, constants.W_OK)
  } catch (cause) {
    refuse(`you may not write to ${parent}`, 'Give another file', cause)
  }
  return {
    write(value) {
      const temporary = `${inDirectory}/.${path.basename(absolute)}.${randomBytes(6).toString('hex')}.tmp`
      try {
        writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx' })
        renameSync(temporary, `${inDirectory}/${path.basename(absolute)}`)
        return null
      } catch (error) {
        rmSync(temporary, { force: true })
        return `the report could not be written to ${absolute} (${codeOf(error) ?? String(error)})`
      } finally {
        closeSync(directory)
      }
    },
  }
}
