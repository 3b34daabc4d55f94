import path from 'node:path'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { hostResolver } from '../../egress/dns/resolver.ts'
import type { Host } from '../../host.ts'
import { type RedteamReport, redteam } from '../../redteam/redteam.ts'
import { secretWord } from '../../redteam/secret-words.ts'
import { openCliHost } from '../open-host.ts'
import type { Result } from '../results.ts'
import { startLine } from '../run/run-lines.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { onEndSignal } from '../terminal/signals.ts'
import { say } from '../terminal/terminal-output.ts'
import { didNotWork, reportLines } from './redteam-lines.ts'
import { type RedteamOptions, wishOf } from './redteam-wish.ts'

/** `paddock redteam`: exits with 0 if no canary moved, 1 if one did, 125 if the run is inconclusive. */
export async function redteamCommand(words: readonly string[], options: RedteamOptions): Promise<Answer<Result<'redteam'>>> {
  if (words.length === 0)
    throw new PaddockError('BAD_INPUT', 'paddock redteam needs an agent, or -- and a command.', {
      hint: 'paddock redteam claude    or    paddock redteam -- sh attack.sh',
    })
  const isCommand = process.argv.at(-words.length - 1) === '--'
  // Set before anything reads the environment. No cell may contain this value.
  const variable = { name: 'PADDOCK_REDTEAM_TOKEN', value: secretWord() }
  process.env[variable.name] = variable.value
  const shown = options.quiet === true ? () => undefined : say
  const host: Host = openCliHost({
    onPlan: (plan) => plan.name !== 'redteam sibling' && shown(startLine(plan)),
  })
  const ro = options.ro.map((each) => path.resolve(each))
  const ends: (() => Promise<void>)[] = []
  const cancel = new AbortController()
  const unlisten = onEndSignal(() => cancel.abort())
  try {
    const report = await redteam({
      cells: host.cells,
      machine: host.machine,
      resolver: hostResolver(),
      audit: host.audit.write,
      state: host.paths.state,
      temporary: path.join(host.paths.state, 'scratch'),
      variable,
      terminal: process.stdin.isTTY === true ? process.stdin : null,
      wish: (stage) => wishOf(stage, words, isCommand, { ...options, ro }, host, shown, ends),
      onSet: (count) => shown(`${count} canaries are set; it has ${options.timeout} to reach them`),
      signal: cancel.signal,
    })
    return { data: report, lines: reportLines(report), exitCode: exitCodeOf(report, isCommand) }
  } finally {
    if (process.stdin.isTTY === true) process.stdin.destroy()
    unlisten()
    for (const each of ends) await each()
    host[Symbol.dispose]()
  }
}

function exitCodeOf({ moved, cell, said }: RedteamReport, isCommand: boolean): number {
  const { ending } = cell
  if (moved) return exitCodes.no
  if (ending.kind === 'cancelled') return exitCodes.cancelled
  if (ending.kind === 'start-failed') return exitCodes.cannot
  if (isCommand) return ending.kind === 'exited' && (ending.code === 126 || ending.code === 127) ? ending.code : exitCodes.done
  return didNotWork(said) ? exitCodes.cannot : exitCodes.done
}
