import { readFileSync } from 'node:fs'
import { isConversationId } from '../../adapters/output/conversation.ts'
import { codeOf, PaddockError } from '../../base/errors.ts'
import type { RunOptions } from './options.ts'

/** Returns the prompt of a run without a terminal; null if no prompt was given. Throws BAD_INPUT. */
export function promptOf(options: Pick<RunOptions, 'prompt' | 'promptFile'>): string | null {
  if (options.prompt !== undefined && options.promptFile !== undefined)
    throw new PaddockError('BAD_INPUT', '--prompt and --prompt-file cannot both be given.', { hint: 'Leave one out' })
  if (options.promptFile === undefined) return options.prompt ?? null
  try {
    return readFileSync(options.promptFile === '-' ? 0 : options.promptFile, 'utf8')
  } catch (cause) {
    throw new PaddockError('BAD_INPUT', `--prompt-file ${options.promptFile} cannot be read (${codeOf(cause)}).`, {
      hint: 'Give the path of a text file',
      cause,
    })
  }
}

/** Returns the conversation that a run continues; null for a new one. Throws BAD_INPUT. */
export function conversationOf(options: Pick<RunOptions, 'continue'>, prompt: string | null): string | null {
  if (options.continue === undefined) return null
  if (prompt === null)
    throw new PaddockError('BAD_INPUT', '--continue requires a prompt.', { hint: 'Give one with --prompt TEXT or --prompt-file FILE' })
  if (isConversationId(options.continue)) return options.continue
  throw new PaddockError('BAD_INPUT', '--continue must be the id of a conversation, as the agent reported it.')
}
