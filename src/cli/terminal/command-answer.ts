import type { Command } from 'commander'
import { exitCodes } from '../../base/errors.ts'
import { printable } from '../../base/text.ts'
import type { CommandName, Result } from '../results.ts'
import { printJson, say } from './terminal-output.ts'
import { waitingLine } from './waiting-line.ts'

/** The result of a command. Its data is printed with `--json`, its lines and notes without. */
export interface Answer<Data> {
  readonly data: Data
  /** Text for people, printed to standard output. */
  readonly lines?: Iterable<string>
  /** Text for people, printed to standard error. */
  readonly notes?: Iterable<string>
  /** True if the data is one of several JSON lines. */
  readonly isLine?: boolean
  /** Exit code of the command. Default: 0. */
  readonly exitCode?: number
}

/** The function of a command. Its parameters are the arguments and options in the order in which commander passes them. */
type Handler<Data> = (...args: never[]) => Answer<Data> | Promise<Answer<Data>>

/**
 * Returns an action that loads the code of a command on first use, runs it, and prints the answer. `waiting`: text that a terminal shows
 * if the command takes longer than a second, for commands that show no other progress.
 */
export function answering<Name extends CommandName>(
  load: () => Promise<Handler<Result<Name>>>,
  waiting: string | null = null,
): (...args: readonly unknown[]) => Promise<void> {
  return async (...args) => {
    const command = args.at(-1) as Command
    const handler = (await load()) as (...all: readonly unknown[]) => Promise<Answer<unknown>>
    const { data, lines = [], notes = [], isLine = false, exitCode = exitCodes.done } = await whileWaiting(waiting, () => handler(...args))
    if (command.optsWithGlobals()['json'] === true) printJson(data, isLine)
    else {
      for (const each of lines) process.stdout.write(`${printable(each)}\n`)
      for (const each of notes) say(each)
    }
    process.exitCode = exitCode
  }
}

async function whileWaiting<T>(what: string | null, work: () => Promise<T>): Promise<T> {
  if (what === null) return work()
  using _line = waitingLine(what)
  return await work()
}
