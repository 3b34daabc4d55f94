import * as z from 'zod'
import { mcpServersSchema } from '../../config/mcp-schema.ts'
import { plainText } from '../../config/request/request-schema.ts'

export const relativePath = z
  .string()
  .regex(/^(?!\/)[^\0]+$/, { error: 'must be a path relative to the contest directory' })
  .refine((value) => !value.split('/').includes('..'), { error: 'must stay inside the contest directory' })

/** The keys for what a participant brings to its task, besides its agent and model. Paths are relative to the file with the key. */
export const broughtShape = {
  skills: z
    .array(relativePath)
    .min(1)
    .max(50)
    .optional()
    .describe('Directories with a SKILL.md that the agent finds among its skills, under the name of the directory.'),
  instructions: relativePath
    .optional()
    .describe('A file that the agent reads as the instructions of its user, such as CLAUDE.md or AGENTS.md in its home.'),
  mcp: mcpServersSchema
    .optional()
    .describe('MCP servers by name: programs that run in its cell, or endpoints that it reaches as it does any host.'),
  config: z
    .record(z.string(), z.json())
    .optional()
    .describe("Settings in the structure of the CLI's settings file. Those that Paddock needs take precedence."),
  prompt: relativePath.optional().describe('A file whose text is added to the end of its prompt.'),
  program: plainText
    .regex(/^(?:~\/|\/)/, { error: 'must be an absolute path, or start with ~/' })
    .optional()
    .describe("The agent's program on this machine, for example of another version."),
}
