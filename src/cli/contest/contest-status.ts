import { setTimeout as wait } from 'node:timers/promises'
import { standings } from '../../contest/judging/standing.ts'
import { type ContestStanding, contestStatus } from '../../contest/state/standing.ts'
import { exitCodes } from '../../errors.ts'
import { resolvePaths } from '../../paths.ts'
import { printJson } from '../terminal/output.ts'
import { statusLines } from './contest-lines.ts'

interface StatusOptions {
  readonly json?: boolean
  readonly watch?: boolean
}

const pollMs = 500

/** `paddock contest status`; with `watch` again whenever it changes, in place on a terminal, until no process works on the contest. */
export async function showStatus(directory: string, options: StatusOptions): Promise<number> {
  const paths = resolvePaths(process.env)
  let standing = await contestStatus(directory, paths)
  if (options.watch !== true) {
    if (options.json === true) printJson(asJson(standing))
    else process.stdout.write(asText(standing))
    return exitCodes.done
  }
  let shown = ''
  for (;;) {
    // One object a line, so that a program can read it while it goes on.
    const now = options.json === true ? `${JSON.stringify(asJson(standing))}\n` : asText(standing)
    if (now !== shown) process.stdout.write(`${shown === '' ? '' : between(shown, options)}${now}`)
    shown = now
    if (!standing.atWork) return exitCodes.done
    await wait(pollMs)
    standing = await contestStatus(directory, paths)
  }
}

/** What comes before a newer status: on a terminal it takes the place of the one before. */
function between(before: string, { json }: StatusOptions): string {
  if (json === true) return ''
  return process.stdout.isTTY === true ? `\u001b[${before.split('\n').length - 1}A\u001b[0J` : '\n'
}

function asText({ contest, status, atWork }: ContestStanding): string {
  return `${statusLines(contest.config, status, atWork).join('\n')}\n`
}

function asJson({ contest, status, atWork }: ContestStanding): unknown {
  const names = contest.config.judges.map((each) => each.name)
  return status === null ? null : { ...status, judges: standings(status.tasks, names), atWork }
}
