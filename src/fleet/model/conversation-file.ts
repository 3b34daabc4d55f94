import { readFile } from 'node:fs/promises'
import { type ModelMessage, modelMessageSchema } from 'ai'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { NewerFile, parseStored } from '../../files/stored-json.ts'

const schema = z.object({ schemaVersion: z.literal(1), messages: z.array(modelMessageSchema) })

/** Writes the messages of a model and its tools, so that a later job can continue from there. */
export async function writeConversation(file: string, messages: readonly ModelMessage[]): Promise<void> {
  await writeJson(file, { schemaVersion: 1, messages }, { mode: 0o600 })
}

/** Reads a conversation. @throws PaddockError NOT_FOUND if the file no longer exists */
export async function readConversation(file: string): Promise<readonly ModelMessage[]> {
  try {
    return parseStored(file, await readFile(file, 'utf8'), schema).messages
  } catch (error) {
    if (error instanceof NewerFile) throw error
    throw new PaddockError('NOT_FOUND', 'The conversation to continue no longer exists.', { hint: 'Give a new job', cause: error })
  }
}
