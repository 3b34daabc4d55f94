import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { durationPattern, durationRule, parseDuration } from '../../base/quantities.ts'
import { mcpServersSchema } from '../../config/mcp-schema.ts'
import { parseSecretRef } from '../../credentials/secret-ref.ts'

export const providers = ['anthropic', 'openai', 'openai-compatible'] as const

/** The tools that a model can have, in addition to those of MCP servers. */
export const ownTools = ['bash', 'file_read', 'file_write', 'file_edit', 'http', 'delegate', 'ask'] as const

const listed = new RegExp(`^(?:ask )?(?:${ownTools.join('|')}|[a-z0-9][a-z0-9-]{0,31}/(?:\\*|[A-Za-z0-9_.-]{1,64}))$`)

const apiKey = z
  .string()
  .refine(isReference, { error: 'must be vault:NAME or azure-kv://…: a manifest gets nothing from the environment of the server' })
  .describe('Where the key of its endpoint is: vault:NAME or azure-kv://…. Paddock sends the key; the cell never contains it.')
const keyless = z.boolean().describe('Whether its endpoint needs no key.')
const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL of http or https' })
  .describe("The endpoint to use instead of the provider's.")

const fallback = z.strictObject({
  provider: z.enum(providers),
  model: z.string().min(1),
  baseUrl: baseUrl.optional(),
  apiKey: apiKey.optional(),
  keyless: keyless.optional(),
})

/** The keys of a manifest that only agents of kind `model` have. */
export const modelShape = {
  provider: z.enum(providers).optional().describe('Kind model: the provider that serves the model.'),
  apiKey: apiKey.optional(),
  keyless: keyless.optional(),
  fallbacks: z
    .array(fallback)
    .max(8)
    .optional()
    .describe('Kind model: endpoints to try in this order if the previous one does not answer, is overloaded or limits its rate.'),
  instructions: z.string().max(100_000).optional().describe('Kind model: instructions before each prompt.'),
  tools: z
    .array(
      z.string().regex(listed, {
        error: `must be ${ownTools.join(', ')}, SERVER/TOOL or SERVER/*, with "ask " in front to hold each call for an answer`,
      }),
    )
    .max(200)
    .optional()
    .describe(
      'The only tools it has. A CLI can have delegate and ask. Kind model: bash, file_read, file_write, file_edit, http, delegate, ask, and SERVER/TOOL or SERVER/* of an MCP server. Put `ask ` in front to hold each call until somebody allows it.',
    ),
  mcp: mcpServersSchema.optional().describe('Kind model: MCP servers by name.'),
}

/** The keys about humans and other agents, for manifests of all kinds. */
export const companyShape = {
  answerWithin: z
    .string()
    .refine((value) => parseDuration(value) !== null, { error: `must be ${durationRule}` })
    .meta({ pattern: durationPattern })
    .optional()
    .describe('How long its questions and held tool calls wait for an answer before they are refused; 1h by default.'),
}

/** One entry of `tools`. */
export interface ListedTool {
  /** The name in the form `bash`, `SERVER/TOOL` or `SERVER/*`. */
  readonly name: string
  /** Whether each call waits for a human's answer. */
  readonly isHeld: boolean
}

/** Parses an entry of `tools`. */
export function listedTool(text: string): ListedTool {
  return text.startsWith('ask ') ? { name: text.slice('ask '.length), isHeld: true } : { name: text, isHeld: false }
}

/** Returns the tools of a job: those in its manifest, limited to the lease's tools in `only`; null sets no limit. */
export function listedTools(tools: readonly string[], only: readonly string[] | null): readonly ListedTool[] {
  const listed = tools.map(listedTool)
  if (only === null) return listed
  const covers = (wide: string, name: string): boolean => wide === name || (wide.endsWith('/*') && name.startsWith(wide.slice(0, -1)))
  return only.flatMap((name) => {
    // A held tool stays held, whether it is listed by its own name or through its server.
    const own = listed.filter((each) => covers(name, each.name))
    const wider = listed.find((each) => each.name !== name && covers(each.name, name))
    return own.length > 0 ? own : wider === undefined ? [] : [{ ...wider, name }]
  })
}

function isReference(text: string): boolean {
  try {
    return parseSecretRef(text, 'apiKey').from !== 'env'
  } catch (error) {
    if (error instanceof PaddockError) return false
    throw error
  }
}
