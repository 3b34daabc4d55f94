import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { messageOf, PaddockError } from '../base/errors.ts'

/** The description of a tool for its callers. */
export interface ToolFacts<Input extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly input: Input
  /** True if the tool is read-only. */
  readonly reads: boolean
}

/** Adds a tool whose result is JSON. An error is also returned as a result, with its code and hint. */
export function addTool<Input extends z.ZodObject>(
  server: McpServer,
  { name, description, input, reads }: ToolFacts<Input>,
  act: (given: z.output<Input>, signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>,
): void {
  const inputSchema: z.ZodObject = input
  const annotations = { readOnlyHint: reads, destructiveHint: false, openWorldHint: !reads }
  server.registerTool(name, { description, inputSchema, annotations }, async (given, { mcpReq }): Promise<CallToolResult> => {
    try {
      return shown(await act(given as z.output<Input>, mcpReq.signal))
    } catch (error) {
      return { ...shown(problemOf(error)), isError: true }
    }
  })
}

function shown(data: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
}

function problemOf(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof PaddockError)) return { code: 'CELL_FAILED', message: messageOf(error) }
  return { code: error.code, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }
}
