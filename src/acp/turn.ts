import type { ChildProcess } from 'node:child_process'
import type { AgentAdapter } from '../adapters/adapter.ts'
import type { AgentEvent } from '../adapters/output/agent-events.ts'
import { lastLine } from '../adapters/output/output-lines.ts'
import { transcript } from '../adapters/output/parse-transcript.ts'
import { noSummary, type RunSummary, withEvent } from '../adapters/output/run-summary.ts'
import { errorsVariable, redact } from '../base/errors.ts'
import { spawn } from '../system/start-program.ts'

/** Number of characters at the end of standard error that are kept to find the cause of a failure. */
const mostKept = 64 * 1024

/** The command that runs each turn of a session. */
export interface TurnCommand {
  /** The arguments of `paddock run`, except the prompt and the conversation. */
  readonly words: readonly string[]
  /** The command that starts this Paddock. */
  readonly program: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly adapter: AgentAdapter
  /** Called with the standard error of the run. */
  readonly notice: (text: string) => void
}

export interface TurnEnd {
  /** The conversation that the next turn continues; null if the agent did not report it. */
  readonly conversation: string | null
  /** The reason for a failure, in one sentence; null if the turn succeeded. */
  readonly problem: string | null
}

/**
 * Runs one turn like `paddock run`, in a separate process, with the prompt on its standard input. Its cell ends when `signal` is aborted or
 * when this process ends.
 */
export async function runTurn(
  { words, program, env, adapter, notice }: TurnCommand,
  turn: { readonly cwd: string; readonly prompt: string; readonly conversation: string | null; readonly signal: AbortSignal },
  onEvent: (event: AgentEvent) => Promise<void>,
): Promise<TurnEnd> {
  const goingOn = turn.conversation === null ? [] : ['--continue', turn.conversation]
  const [first = '', ...rest] = [...program, 'run', '--prompt-file', '-', ...goingOn, ...words]
  // Descriptor 3 is closed when this process ends, which stops the child: see listenForSignals.
  const own = { ...env, [errorsVariable]: 'json', PADDOCK_LAUNCHER: '3' }
  const child = spawn(first, rest, { cwd: turn.cwd, env: own, stdio: ['pipe', 'pipe', 'pipe', 'pipe'], detached: true })
  const cancel = (): void => void child.kill('SIGTERM')
  turn.signal.addEventListener('abort', cancel)
  if (turn.signal.aborted) cancel()
  try {
    return await followed(child, adapter, turn.prompt, notice, onEvent)
  } finally {
    turn.signal.removeEventListener('abort', cancel)
  }
}

async function followed(
  child: ChildProcess,
  adapter: AgentAdapter,
  prompt: string,
  notice: TurnCommand['notice'],
  onEvent: (event: AgentEvent) => Promise<void>,
): Promise<TurnEnd> {
  const { stdin, stdout, stderr: errors } = child
  if (stdin === null || stdout === null || errors === null) throw new Error('a child with pipes has pipes')
  let stderr = ''
  errors.setEncoding('utf8').on('data', (chunk: string) => {
    notice(chunk)
    stderr = (stderr + chunk).slice(-mostKept)
  })
  const ended = new Promise<{ readonly code: number | null; readonly stderr: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stderr }))
  })
  // The child may exit without reading the prompt.
  stdin.on('error', () => {})
  stdin.end(prompt)
  let summary = noSummary
  for await (const event of transcript(stdout, await adapter.parser(), ended)) {
    summary = withEvent(summary, event)
    await onEvent(event)
  }
  const { code } = await ended
  const isGood = code === 0 && summary.ok !== false
  return { conversation: summary.conversation, problem: isGood ? null : problemOf(summary, stderr) }
}

/** Returns Paddock's refusal, or else the problem that the agent reported, or else the last line. */
function problemOf({ loginNeeded, trouble, errors }: RunSummary, stderr: string): string {
  return redact(refusalIn(stderr) ?? loginNeeded ?? trouble?.message ?? errors.at(-1) ?? (lastLine(stderr) || 'The agent failed.'))
}

function refusalIn(stderr: string): string | null {
  try {
    const { error } = JSON.parse(lastLine(stderr)) as { readonly error: { readonly message: string; readonly hint: string | null } }
    return error.hint === null ? error.message : `${error.message}\n${error.hint}`
  } catch {
    return null
  }
}
