import { setTimeout as wait } from 'node:timers/promises'
import { resolvePaths } from '../../base/paths.ts'
import { standings } from '../../contest/state/judge-state.ts'
import { type ContestStanding, contestStatus } from '../../contest/state/task-state.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { statusLines } from './contest-lines.ts'

interface StatusOptions {
  readonly json?: boolean
  readonly watch?: boolean
}

const pollMs = 500

/** `paddock contest status`: prints the status; `watch`: on every change, in place on a terminal, until no process is at work. */
export async function contestStatusCommand(directory: string, options: StatusOptions): Promise<Answer<Result<'contest status'>>> {
  const paths = resolvePaths(process.env)
  let standing = await contestStatus(directory, paths)
  if (options.watch !== true) return { data: dataOf(standing), lines: linesOf(standing) }
  let shown = ''
  for (;;) {
    // One object per line, so that a program can read each as it comes.
    const data = dataOf(standing)
    const now = options.json === true ? `${JSON.stringify(data)}\n` : `${linesOf(standing).join('\n')}\n`
    // The last status is the answer. As text it has been printed already.
    if (!standing.atWork && options.json === true) return { data, isLine: true }
    if (now !== shown) process.stdout.write(`${shown === '' ? '' : between(shown, options)}${now}`)
    shown = now
    if (!standing.atWork) return { data }
    await wait(pollMs)
    standing = await contestStatus(directory, paths)
  }
}

/** Returns the separator before a newer status; on a terminal, the sequence that erases the previous one. */
function between(before: string, { json }: StatusOptions): string {
  if (json === true) return ''
  return process.stdout.isTTY === true ? `\u001b[${before.split('\n').length - 1}A\u001b[0J` : '\n'
}

function linesOf({ contest, status, atWork }: ContestStanding): readonly string[] {
  return statusLines(contest.config, status, atWork)
}

function dataOf({ contest, status, atWork }: ContestStanding): Result<'contest status'> {
  const names = contest.config.judges.map((each) => each.name)
  return status === null ? null : { ...status, judges: standings(status.tasks, names), atWork }
}
