import { readFileSync } from 'node:fs'
import { PaddockError } from '../../errors.ts'
import type { RunOptions } from './options.ts'

/** The prompt of a run without a terminal; null: none was given. Throws BAD_INPUT. */
export function promptOf(options: Pick<RunOptions, 'prompt' | 'promptFile'>): string | null {
  if (options.prompt !== undefined && options.promptFile !== undefined)
    throw new PaddockError('BAD_INPUT', '--prompt and --prompt-file cannot both be given.', { hint: 'Leave one out.' })
  if (options.promptFile === undefined) return options.prompt ?? null
  try {
    return readFileSync(options.promptFile, 'utf8')
  } catch (cause) {
    throw new PaddockError('BAD_INPUT', `--prompt-file ${options.promptFile} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, {
      hint: 'Give the path of a text file.',
      cause,
    })
  }
}
