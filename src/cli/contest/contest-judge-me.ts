import { exitCodes, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { shellWord } from '../../base/shell-word.ts'
import { openYourJudging } from '../../contest/judging/yours/your-judging.ts'
import { summaryNow } from '../../contest/report/report-contest.ts'
import { judgingApp } from '../../server/judging/judging-app.ts'
import { listen } from '../../server/listen.ts'
import { serverLog } from '../../server/server-log.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { onEndSignal } from '../terminal/signals.ts'
import { say } from '../terminal/terminal-output.ts'
import { yourLines } from './contest-lines.ts'

interface MeOptions {
  readonly me?: boolean
  readonly port?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `paddock contest judge --me`: serves a page with pairs until all are answered or a signal arrives. `--json`: one object per line. */
export async function contestJudgeMe(directory: string, options: MeOptions): Promise<Answer<Result<'contest judge'>>> {
  if (options.me !== true) throw new PaddockError('BAD_INPUT', '--port requires --me.', { hint: 'Add --me, or leave --port out' })
  const port = portOf(options.port)
  await using judging = await openYourJudging(directory, { paths: resolvePaths(process.env) })
  const write = (line: object): void => void process.stdout.write(`${JSON.stringify({ schemaVersion: 1, ...line })}\n`)
  if (judging.next !== null) {
    const ended = Promise.withResolvers<void>()
    const release = onEndSignal(() => ended.resolve())
    const { app, code } = judgingApp(judging, serverLog('error'), () => ended.resolve())
    const listening = await listen(app, { tcp: { host: '127.0.0.1', port } }).catch((error: unknown) => {
      release()
      throw error instanceof PaddockError
        ? new PaddockError(error.code, `--port ${port}: the page cannot be served there.`, {
            hint: 'Leave --port out for any free port',
            cause: error,
          })
        : error
    })
    const link = `${listening.url}#${code}`
    if (options.json === true) write({ link, answered: judging.answered, of: judging.of })
    else process.stdout.write(`${link}\n`)
    if (options.quiet !== true)
      say(`open it in a browser within 5 minutes; it works once. ${judging.answered} of ${judging.of} answers are given; to stop: Ctrl-C`)
    try {
      await ended.promise
    } finally {
      release()
      await listening.close()
    }
  }
  const { answered, of } = judging
  const isWhole = answered === of
  // The user must not see the judges' answers before giving the last answer.
  const you = isWhole ? (await summaryNow(directory, () => new Date())).you : null
  const command = shellWord(directory)
  const note = isWhole
    ? `the report is unchanged; to write it again: paddock contest report ${command}`
    : `${answered} of ${of} answers are kept; to continue: paddock contest judge --me ${command}`
  return {
    data: { schemaVersion: 1, answered, of, consistent: you?.consistent ?? null, agreement: you?.agreement ?? null },
    isLine: true,
    lines: yourLines({ you }).slice(1),
    notes: options.quiet === true ? [] : [note],
    exitCode: isWhole ? exitCodes.done : exitCodes.cancelled,
  }
}

function portOf(text = '0'): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new PaddockError('BAD_INPUT', `--port ${text}: a port is a number from 0 to 65535.`, { hint: 'Leave it out for any free port' })
}
