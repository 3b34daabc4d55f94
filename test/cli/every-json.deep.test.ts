import { expect, test } from 'vitest'
import * as z from 'zod'
import { errorExitCodes } from '../../src/base/errors.ts'
import { allNodes, type CommandNode, commandTree } from '../../src/cli/completion/tree.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { everyone, makeStage, paddock } from '../support/cli.ts'

const errorSchema = z.strictObject({
  schemaVersion: z.literal(1),
  error: z.strictObject({ code: z.enum(Object.keys(errorExitCodes)), message: z.string().min(1), hint: z.string().nullable() }),
})

/** Commands that pass standard output to a program, a shell or a protocol, or that always print JSON. */
const without = ['shell', 'serve', 'mcp', 'acp', 'completion', 'agent schema', 'config schema']
/** Options that shorten a command: trying all guarantees would take minutes. */
const more: Readonly<Record<string, readonly string[]>> = { verify: ['--only', 'x'] }

const leaves = allNodes(commandTree(await buildProgram())).filter((each) => each.commands.length === 0)

test('every command takes --json, but for those that have no answer of their own', () => {
  const missing = leaves.filter((each) => !each.options.some(({ long }) => long === '--json')).map(({ path }) => path)
  expect(missing.toSorted()).toEqual(without.toSorted())
})

test.each(everyone)(
  'with --json standard output is JSON or empty, and an error is one JSON object, as %s',
  { timeout: 600_000 },
  async (who) => {
    using stage = makeStage(who)
    const wrong: unknown[] = []
    const tryOne = async (node: CommandNode): Promise<void> => {
      const words = [...node.path.split(' '), ...(more[node.path] ?? []), '--json', ...required(node)]
      const { code, stdout, stderr } = await paddock(stage, words, { input: '' })
      const problem = problemOf(code, stdout, stderr)
      if (problem !== null) wrong.push([words.join(' '), problem, code, stdout.slice(0, 300), stderr.slice(0, 300)])
    }
    const left = leaves.filter((each) => !without.includes(each.path))
    await Promise.all(
      Array.from({ length: 2 }, async () => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) await tryOne(next)
      }),
    )
    expect(wrong).toEqual([])
  },
)

/** Returns one word for each required argument of a command. */
function required({ usage }: CommandNode): string[] {
  return (usage.match(/<[^>]+>/g) ?? []).map(() => 'x')
}

function problemOf(code: number | null, stdout: string, stderr: string): string | null {
  try {
    const text = stdout.trim()
    if (text !== '' && !isJson(text)) for (const line of text.split('\n')) JSON.parse(line)
  } catch {
    return 'standard output is not JSON'
  }
  // 0: success; 1 with an answer: the answer is no.
  if (code === 0 || (code === 1 && stdout.trim() !== '')) return null
  const last = stderr.trim().split('\n').at(-1) ?? ''
  const parsed = isJson(last) ? errorSchema.safeParse(JSON.parse(last)) : null
  if (parsed?.success !== true) return 'the last line of standard error is not an error in JSON'
  return errorExitCodes[parsed.data.error.code as keyof typeof errorExitCodes] === code
    ? null
    : `exit code ${code} for ${parsed.data.error.code}`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
