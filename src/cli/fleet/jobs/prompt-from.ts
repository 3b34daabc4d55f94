import { text } from 'node:stream/consumers'
import { PaddockError } from '../../../base/errors.ts'
import { promptOf } from '../../run/prompt.ts'

export interface PromptOptions {
  readonly prompt?: string
  /** The file name `-`, which means standard input. */
  readonly promptFile?: string
}

/** Returns the prompt of a job. @throws PaddockError BAD_INPUT */
export async function promptFrom(options: PromptOptions): Promise<string> {
  const prompt = options.prompt === undefined && options.promptFile === '-' ? await text(process.stdin) : promptOf(options)
  if (prompt !== null) return prompt
  throw new PaddockError('BAD_INPUT', 'The job needs a prompt.', {
    hint: 'Give it with --prompt TEXT or --prompt-file FILE (-: standard input)',
  })
}
