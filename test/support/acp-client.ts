import { type ChildProcess, spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { type ClientConnection, type ContentBlock, client, methods, ndJsonStream, type SessionUpdate } from '@agentclientprotocol/sdk'
import { onTestFinished } from 'vitest'
import { command, type Stage } from './cli.ts'

/** A client of `paddock acp` that behaves like an editor. */
export interface Editor {
  readonly child: ChildProcess
  /** The updates of all sessions, in order. */
  readonly updates: SessionUpdate[]
  /** Returns the text of the updates. */
  readonly text: () => string
  open(cwd: string): Promise<string>
  /** Resolves to the stop reason of the turn. */
  prompt(sessionId: string, ...blocks: readonly (string | ContentBlock)[]): Promise<string>
  cancel(sessionId: string): Promise<void>
  /** Resolves once an update contains this text. */
  sees(text: string): Promise<void>
  /** Closes its input, and resolves to the exit code. */
  close(): Promise<number | null>
}

export async function openEditor(
  stage: Stage,
  args: readonly string[],
  env: Readonly<Record<string, string>> = stage.env,
): Promise<Editor> {
  const [program = '', ...rest] = command(stage.who, ['acp', ...args])
  const child = spawn(program, rest, { cwd: stage.project, env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const updates: SessionUpdate[] = []
  const waiting = new Set<() => void>()
  const connection: ClientConnection = client({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      updates.push(update)
      for (const each of waiting) each()
    })
    .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>))
  await connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
  const text = (): string =>
    updates.map((each) => (each.sessionUpdate === 'agent_message_chunk' && each.content.type === 'text' ? each.content.text : '')).join('')
  return {
    child,
    updates,
    text,
    open: async (cwd) => (await connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] })).sessionId,
    async prompt(sessionId, ...blocks) {
      const prompt = blocks.map((each) => (typeof each === 'string' ? { type: 'text' as const, text: each } : each))
      return (await connection.agent.request(methods.agent.session.prompt, { sessionId, prompt })).stopReason
    },
    cancel: (sessionId) => connection.agent.notify(methods.agent.session.cancel, { sessionId }),
    async sees(wanted) {
      while (!text().includes(wanted)) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.add(resolve)
        await promise
        waiting.delete(resolve)
      }
    },
    async close() {
      child.stdin.end()
      return await exited
    },
  }
}
