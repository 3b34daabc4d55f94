import { discardHeld, discardUnreadable } from '../../copy/discard.ts'
import { chooseUnreadable, holdCopy } from '../../copy/hold.ts'
import { recoveredLines } from '../../copy/open.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { printJson, say } from '../terminal/output.ts'
import { workingDirectory } from '../working-directory.ts'
import { cliCopyHost } from './copy-host.ts'

const command = 'paddock discard'

/** `paddock discard`: deletes a copy, and with it all that an agent did. */
export async function discardCommand(words: readonly string[], options: { readonly json?: boolean }): Promise<number> {
  const host = cliCopyHost()
  const unreadable = await chooseUnreadable(words, host.paths)
  if (unreadable !== null) refuseMore(words.slice(1))
  const discarded = unreadable === null ? await discardReadable(words) : await discardUnreadable(unreadable, host, command)
  const { id, project, recovered } = discarded
  for (const each of recoveredLines(id, recovered)) say(each)
  if (options.json === true) printJson({ schemaVersion: 1, id, project })
  else say(`copy ${id}${project === null ? '' : ` of ${project}`} is deleted`)
  return exitCodes.done
}

async function discardReadable(words: readonly string[]): ReturnType<typeof discardHeld> {
  const host = cliCopyHost()
  using copy = await holdCopy(words, host.paths, { cwd: workingDirectory(), command })
  refuseMore(copy.words)
  return await discardHeld(copy, host)
}

function refuseMore(words: readonly string[]): void {
  if (words.length > 0)
    throw new PaddockError('NOT_FOUND', `There is no copy ${words[0]}.`, { hint: 'paddock review --list shows the copies.' })
}
