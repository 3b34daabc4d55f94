import type { ReadStream } from 'node:tty'
import { printable } from '../../base/text.ts'
import type { OpenQuestion } from '../../egress/approvals/approval-schema.ts'
import type { ApprovalTerminal } from '../../egress/approvals/approver.ts'
import type { GivenAnswer } from '../../egress/approvals/open-questions.ts'
import { terminalReset } from '../terminal/terminal-reset.ts'
import { wishText } from './approval-text.ts'

/** Milliseconds in which no one can read a question. Input in that time is ignored: it was typed ahead or for the previous question. */
const settleMs = 400
/** White on blue. Both colours are set, so that a cell cannot choose the colours of a question. Reverse video if NO_COLOR is set. */
const asking = (process.env['NO_COLOR'] ?? '') === '' ? '\u001b[0;1;97;44m' : '\u001b[0;1;7m'
const plain = '\u001b[0m\u001b[K'

const answers: Readonly<Record<string, GivenAnswer>> = {
  y: { allowed: true, scope: 'once' },
  n: { allowed: false, scope: 'once' },
  c: { allowed: true, scope: 'cell' },
  a: { allowed: true, scope: 'always' },
}

/**
 * Asks in the terminal that started a run, one question at a time, if the cell itself has no terminal. `hold` stops the output of the cell
 * until the returned function is called, so that nothing can be written over a question.
 */
export function terminalPrompt(input: ReadStream, output: NodeJS.WriteStream, hold: () => () => void): ApprovalTerminal {
  let last: Promise<unknown> = Promise.resolve()
  const askNow = async (question: OpenQuestion, signal: AbortSignal): Promise<GivenAnswer | null> => {
    if (signal.aborted) return null
    const goOn = hold()
    try {
      return await read(input, output, question, signal)
    } finally {
      goOn()
    }
  }
  return {
    ask(question, signal) {
      const mine = last.then(() => askNow(question, signal))
      last = mine.catch(() => undefined)
      return mine
    },
  }
}

function read(input: ReadStream, output: NodeJS.WriteStream, question: OpenQuestion, signal: AbortSignal): Promise<GivenAnswer | null> {
  const show = (): void => {
    const who = printable(`${question.cellName}, cell ${question.cell}`)
    const lines = [`paddock: ${who} wants to ${wishText(question)} (${printable(question.source)}).`, 'Allow? y(es) n(o) c(ell) a(lways): ']
    // These lines contain nothing from the cell.
    output.write(`${terminalReset('screen')}\r\n\r\n${lines.map((each) => `${asking}${each}${plain}`).join('\r\n')}`)
  }
  return new Promise((resolve) => {
    let typed = ''
    const shownAt = performance.now()
    const end = (answer: GivenAnswer | null): void => {
      input.off('data', onData).off('end', onEnd)
      input.pause()
      signal.removeEventListener('abort', onAbort)
      resolve(answer)
    }
    const onAbort = (): void => {
      output.write('\npaddock: it is no longer asked\n')
      end(null)
    }
    const onEnd = (): void => end(null)
    const onData = (chunk: Buffer): void => {
      if (performance.now() - shownAt < settleMs) return
      typed = (typed + chunk.toString()).slice(-1_000)
      for (let line = typed.indexOf('\n'); line >= 0; line = typed.indexOf('\n')) {
        const answer = answers[typed.slice(0, line).trim().toLowerCase()]
        typed = typed.slice(line + 1)
        if (answer !== undefined) return end(answer)
        show()
      }
    }
    input.on('data', onData).on('end', onEnd)
    input.resume()
    signal.addEventListener('abort', onAbort, { once: true })
    show()
  })
}

/**
 * Returns a function that reports a question that cannot be asked directly. If a cell owns the terminal, it prints one line when the
 * first question opens and no more until all are answered, so that the cell cannot fill the screen with questions.
 */
export function approvalNotice(cellOwnsTerminal: boolean, write: (text: string) => void): (question: OpenQuestion, before: number) => void {
  return (question, before) => {
    if (!cellOwnsTerminal)
      write(
        `paddock: waiting for an answer: ${wishText(question, { query: false })} · paddock approvals allow ${question.id}   or   deny ${question.id}\n`,
      )
    else if (before === 0) write(`\r\npaddock: the agent waits for your answer; in another terminal: paddock approvals\r\n`)
  }
}
