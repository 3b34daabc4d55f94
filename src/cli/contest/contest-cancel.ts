import { cancelContest } from '../../contest/state/cancel.ts'
import { contestAt } from '../../contest/state/contest-at.ts'
import { exitCodes } from '../../errors.ts'
import { resolvePaths } from '../../paths.ts'
import { shellWord } from '../../shell-word.ts'
import { printJson, say } from '../terminal/output.ts'
import { onEndSignal } from '../terminal/signals.ts'

/** `paddock contest cancel`: ends the process that works on a contest. Exit code 1 if there is none. */
export async function contestCancel(directory: string, options: { readonly json?: boolean }): Promise<number> {
  const layout = await contestAt(directory)
  const stop = new AbortController()
  const release = onEndSignal(() => stop.abort())
  try {
    const ended = await cancelContest(layout, {
      paths: resolvePaths(process.env),
      signal: stop.signal,
      asked: ({ command, pid }) => say(`${command}, process ${pid}, is asked to end; waiting for its cells`),
    })
    if (options.json === true) printJson({ schemaVersion: 1, ended: ended === null ? null : { pid: ended.pid, command: ended.command } })
    else if (ended === null) say('no process works on this contest')
    else say(`it has ended, and what was done is kept; to go on: paddock contest resume ${shellWord(directory)}`)
    return ended === null ? exitCodes.no : exitCodes.done
  } finally {
    release()
  }
}
