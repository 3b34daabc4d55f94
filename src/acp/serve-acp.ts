import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk'
import { messageOf } from '../base/errors.ts'
import { promptText } from './prompt-text.ts'
import { updateOf } from './session-updates.ts'
import { runTurn, type TurnCommand } from './turn.ts'

interface Session {
  readonly cwd: string
  conversation: string | null
  /** Aborts the current turn; null if no turn is running. */
  cancel: AbortController | null
}

export interface AcpDeps extends TurnCommand {
  readonly version: string
}

/**
 * Serves the Agent Client Protocol on standard input and output. Each session is a conversation with one agent, and each prompt is a run of
 * the agent in a cell on the session's directory. Resolves when the client is gone and all turns have ended.
 */
export async function serveAcp({ version, ...command }: AcpDeps): Promise<void> {
  const { adapter, notice } = command
  const sessions = new Map<string, Session>()
  const found = (id: string): Session => {
    const session = sessions.get(id)
    if (session === undefined) throw RequestError.resourceNotFound(id)
    return session
  }
  const turns = new Set<Promise<unknown>>()
  const goesOn = adapter.sessions !== undefined

  const connection = agent({ name: 'paddock' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: { loadSession: false, promptCapabilities: { embeddedContext: true } },
      agentInfo: { name: 'paddock', title: `Paddock: ${adapter.name}`, version },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, ({ params: { cwd, mcpServers } }) => {
      if (!path.isAbsolute(cwd)) throw RequestError.invalidParams({ details: 'cwd must be an absolute path' })
      if (mcpServers.length > 0) notice('paddock: MCP servers of the editor are left out, because a cell cannot reach them\n')
      const sessionId = randomUUID()
      sessions.set(sessionId, { cwd, conversation: null, cancel: null })
      return { sessionId }
    })
    .onNotification(methods.agent.session.cancel, ({ params: { sessionId } }) => sessions.get(sessionId)?.cancel?.abort())
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client, signal }) => {
      const session = found(sessionId)
      if (session.cancel !== null) throw RequestError.invalidRequest({ details: 'a prompt of this session is running' })
      const cancel = new AbortController()
      session.cancel = cancel
      const turn = runTurn(
        command,
        {
          cwd: session.cwd,
          prompt: promptText(prompt),
          conversation: session.conversation,
          signal: AbortSignal.any([cancel.signal, signal]),
        },
        async (event) => {
          const update = updateOf(event)
          if (update !== null) await client.notify(methods.client.session.update, { sessionId, update }).catch(() => {})
        },
      )
      turns.add(turn)
      try {
        const { conversation, problem } = await turn
        if (goesOn && conversation !== null) session.conversation = conversation
        if (cancel.signal.aborted) return { stopReason: 'cancelled' as const }
        if (problem !== null) throw RequestError.internalError({ details: problem }, problem)
        return { stopReason: 'end_turn' as const }
      } catch (error) {
        throw error instanceof RequestError ? error : RequestError.internalError({ details: messageOf(error) })
      } finally {
        session.cancel = null
        turns.delete(turn)
      }
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>))

  await connection.closed
  for (const { cancel } of sessions.values()) cancel?.abort()
  await Promise.allSettled(turns)
}
