import { PaddockError } from '../../base/errors.ts'
import { discardHeld, discardUnreadable } from '../../copy/discard-copy.ts'
import { chooseUnreadable, holdCopy } from '../../copy/hold-copy.ts'
import { recoveredLines } from '../../copy/open-copy.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { say } from '../terminal/terminal-output.ts'
import { workingDirectory } from '../working-directory.ts'
import { cliCopyHost } from './command-copy-host.ts'

const command = 'paddock discard'

/** `paddock discard`: deletes a copy with all of the agent's work. */
export async function discardCommand(id: string | undefined): Promise<Answer<Result<'discard'>>> {
  const words = id === undefined ? [] : [id]
  const host = cliCopyHost()
  const unreadable = await chooseUnreadable(words, host.paths)
  if (unreadable !== null) refuseMore(words.slice(1))
  const discarded = unreadable === null ? await discardReadable(words) : await discardUnreadable(unreadable, host, command)
  const { project, recovered } = discarded
  for (const each of recoveredLines(discarded.id, recovered)) say(each)
  return {
    data: { schemaVersion: 1, id: discarded.id, project },
    notes: [`copy ${discarded.id}${project === null ? '' : ` of ${project}`} is deleted`],
  }
}

async function discardReadable(words: readonly string[]): ReturnType<typeof discardHeld> {
  const host = cliCopyHost()
  using copy = await holdCopy(words, host.paths, { cwd: workingDirectory(), command })
  refuseMore(copy.words)
  return await discardHeld(copy, host)
}

function refuseMore(words: readonly string[]): void {
  if (words.length > 0)
    throw new PaddockError('NOT_FOUND', `There is no copy ${words[0]}.`, { hint: 'To list the copies, run: paddock review --list' })
}
