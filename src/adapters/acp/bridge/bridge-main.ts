// The client of an agent that speaks the Agent Client Protocol. It runs in the agent's cell, so the agent's output is parsed only there.
// It takes the prompt from standard input, starts the agent, and prints the agent's messages and actions as JSON lines.
import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClientContext, client, MessageTooLargeError, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'
import type { BridgeLine, BridgeOrder } from './bridge-protocol.ts'
import { openSession } from './bridge-session.ts'
import { objectOf, Updates, usageIn } from './bridge-updates.ts'

/** The time in which an agent may save its state after its turn has ended, in milliseconds. */
const graceMs = 5_000
/** The time between the end of a connection and that of its process, in milliseconds. */
const settleMs = 500

interface Failure {
  readonly message: string
  /** True: the agent requires a login. */
  readonly login: boolean
}

/** An error for an agent that ended its turn by itself without completing it. */
class EarlyEnd extends Error {}

const [order = '{}', program = '', ...args] = process.argv.slice(2)
const { cwd, model, mcp } = JSON.parse(order) as BridgeOrder
// Writes to a pipe are synchronous (Node, "A note on process I/O"), so a slow reader slows the agent.
const say = (line: BridgeLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const updates = new Updates(say)

const prompt = await text(process.stdin)
const agent = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
const ended = new Promise<Failure>((resolve) => {
  agent.once('error', ({ message }) => resolve({ message: `The agent could not be started: ${message}.`, login: false }))
  agent.once('exit', (code, signal) =>
    resolve({ message: `The agent ended before its turn did (${signal ?? `exit code ${code}`}).`, login: false }),
  )
})
// If the agent no longer reads, its exit reports the problem.
agent.stdin.on('error', () => {})

/** Answers the agent's permission requests with yes, because the cell limits it. Prefers answers that are not permanent. */
function permission(params: unknown) {
  const { options, toolCall } = objectOf(params)
  updates.asked(objectOf(toolCall))
  const offered = Array.isArray(options) ? options.map(objectOf) : []
  const chosen = offered.find(({ kind }) => kind === 'allow_once') ?? offered.find(({ kind }) => kind === 'allow_always')
  if (chosen === undefined) return { outcome: { outcome: 'cancelled' as const } }
  return { outcome: { outcome: 'selected' as const, optionId: String(chosen['optionId']) } }
}

async function turn(context: ClientContext): Promise<void> {
  const sessionId = await openSession(context, { cwd, model, mcp })
  const answer = await context.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: prompt }] })
  const usage = usageIn(objectOf(answer))
  if (usage !== null) say(usage)
  if (answer.stopReason === 'end_turn') return
  throw new EarlyEnd(`The turn ended early: ${String(answer.stopReason).replaceAll('_', ' ')}.`)
}

const talk = client({ name: 'paddock' })
  .onRequest(
    methods.client.session.requestPermission,
    (params) => params,
    ({ params }) => permission(params),
  )
  .onNotification(
    methods.client.session.update,
    (params) => params,
    ({ params }) => updates.take(objectOf(objectOf(params)['update'])),
  )
  .connectWith(ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>), turn)

// The answer may arrive after the agent's exit, and the exit after the end of the connection. The more informative reason wins.
const failure = await Promise.race([talk.then(() => null, failureOf), ended.then((why) => pause(settleMs, why))])
if (failure !== null) say({ type: 'error', ...failure })
say({ type: 'result', ok: failure === null })
agent.stdin.end()
await Promise.race([ended, pause(graceMs)])
process.exit(failure === null ? 0 : 1)

/** Returns the failure for an error. The protocol's errors have details next to the message. */
async function failureOf(error: unknown): Promise<Failure> {
  if (!(error instanceof RequestError)) {
    const told = { message: error instanceof Error ? error.message : String(error), login: false }
    return error instanceof EarlyEnd || error instanceof MessageTooLargeError ? told : Promise.race([ended, pause(settleMs, told)])
  }
  const details = objectOf(error.data)['details'] ?? objectOf(error.data)['message']
  return { message: typeof details === 'string' ? `${error.message}: ${details}` : error.message, login: error.code === -32_000 }
}
