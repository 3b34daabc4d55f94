import { randomBytes } from 'node:crypto'
import { accessSync, closeSync, constants, openSync, type Stats, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'

/** The file to which a report is written. */
export interface ReportFile {
  /** Writes the text of the report once; returns an error message if that fails, else null. */
  write(text: string | AsyncIterable<string>): Promise<string | null>
}

interface ReportWish {
  readonly option: '--report' | '--trajectory'
  /** What is written, for messages. */
  readonly what: string
}

/**
 * Opens the directory of a report before the cell starts. The cell may be able to write there. It must not redirect the report with a
 * link in place of the file or of a parent directory.
 * @throws PaddockError BAD_INPUT if no report can be written there
 */
export function openReportFile(file: string, { option, what }: ReportWish): ReportFile {
  const absolute = path.resolve(file)
  const parent = path.dirname(absolute)
  const refuse = (why: string, hint: string, cause?: unknown): never => {
    throw new PaddockError('BAD_INPUT', `${option} ${file}: ${why}.`, { hint, cause })
  }
  const there: Stats | undefined = statSync(absolute, { throwIfNoEntry: false })
  if (there?.isDirectory() === true)
    refuse('this is a directory', `Name a file in it: ${option} ${path.join(file, `${option.slice(2)}.json`)}`)
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
    async write(text) {
      const temporary = `${inDirectory}/.${path.basename(absolute)}.${randomBytes(6).toString('hex')}.tmp`
      try {
        await writeFile(temporary, text, { flag: 'wx' })
        await rename(temporary, `${inDirectory}/${path.basename(absolute)}`)
        return null
      } catch (error) {
        await rm(temporary, { force: true })
        return `${what} could not be written to ${absolute} (${codeOf(error) ?? String(error)})`
      } finally {
        closeSync(directory)
      }
    },
  }
}
