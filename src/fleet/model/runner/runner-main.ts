// Runs the tools of a model in its cell. Reads calls from standard input, writes answers to standard output, and ends with its input.
import { createInterface } from 'node:readline'
import { messageOf } from '../../../base/errors.ts'
import { bash } from './bash.ts'
import { fileEdit, fileRead, fileWrite } from './file-tools.ts'
import { type HttpInput, http } from './http.ts'
import { McpServers } from './mcp-tools.ts'
import { headAndTail } from './runner-output.ts'
import type { FromRunner, ToRunner } from './runner-protocol.ts'

const servers = new McpServers()
const running = new Map<string, AbortController>()
const answer = (frame: FromRunner): void => void process.stdout.write(`${JSON.stringify(frame)}\n`)

async function carryOut({ id, tool, input, timeoutMs }: Extract<ToRunner, { type: 'call' }>, signal: AbortSignal): Promise<string> {
  // The host process has checked the inputs against the schemas of these tools.
  const given = input as never
  switch (tool) {
    case 'bash':
      return bash(given, id, signal)
    case 'file_read':
      return fileRead(given)
    case 'file_write':
      return fileWrite(given)
    case 'file_edit':
      return fileEdit(given)
    case 'http':
      return http(given satisfies HttpInput, signal)
    default: {
      const at = tool.indexOf('/')
      return servers.call(tool.slice(0, at), tool.slice(at + 1), given, timeoutMs, signal)
    }
  }
}

async function call(frame: Extract<ToRunner, { type: 'call' }>): Promise<void> {
  const stop = new AbortController()
  running.set(frame.id, stop)
  const timer = setTimeout(() => stop.abort(new Error(`It was not done after ${frame.timeoutMs / 1_000} s.`)), frame.timeoutMs)
  try {
    answer({ type: 'done', id: frame.id, ok: true, text: await carryOut(frame, stop.signal) })
  } catch (error) {
    const why = stop.signal.aborted ? messageOf(stop.signal.reason) : messageOf(error)
    answer({ type: 'done', id: frame.id, ok: false, text: headAndTail(why) })
  } finally {
    clearTimeout(timer)
    running.delete(frame.id)
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const frame = JSON.parse(line) as ToRunner
    if (frame.type === 'call') void call(frame)
    else if (frame.type === 'cancel') running.get(frame.id)?.abort(new Error('It was cancelled.'))
    else void servers.open(frame.mcp).then((found) => answer({ type: 'ready', ...found }))
  })
  .once('close', () => process.exit(0))
