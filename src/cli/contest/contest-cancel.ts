import { exitCodes } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { shellWord } from '../../base/shell-word.ts'
import { cancelContest } from '../../contest/state/cancel.ts'
import { contestAt } from '../../contest/state/contest-at.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { onEndSignal } from '../terminal/signals.ts'
import { say } from '../terminal/terminal-output.ts'

/** `paddock contest cancel`: ends the process that works on a contest. Exit code 1 if there is no such process. */
export async function contestCancel(directory: string): Promise<Answer<Result<'contest cancel'>>> {
  const layout = await contestAt(directory)
  const stop = new AbortController()
  const release = onEndSignal(() => stop.abort())
  try {
    const ended = await cancelContest(layout, {
      paths: resolvePaths(process.env),
      signal: stop.signal,
      asked: ({ command, pid }) => say(`${command}, process ${pid}, is asked to end; waiting for its cells`),
    })
    return {
      data: { schemaVersion: 1, ended: ended === null ? null : { pid: ended.pid, command: ended.command } },
      notes: [
        ended === null
          ? 'no process works on this contest'
          : `it has ended, and finished work is kept; to continue: paddock contest resume ${shellWord(directory)}`,
      ],
      exitCode: ended === null ? exitCodes.no : exitCodes.done,
    }
  } finally {
    release()
  }
}
