import type * as z from 'zod'

/**
 * Throws if the output of a command with `--json` does not match its schema. Nothing is checked without `--json`, for a command without a
 * schema, or if it printed nothing, as a failed command does.
 */
export async function checkAnswer(args: readonly string[], stdout: string): Promise<void> {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (!own.includes('--json') || stdout.trim() === '') return
  // Imported only here because the schemas take a while to load.
  const { results } = await import('../../src/cli/results.ts')
  const schemas: Readonly<Record<string, z.ZodType>> = results
  const name = [own.slice(0, 2).join(' '), own[0] ?? ''].find((each) => Object.hasOwn(schemas, each))
  if (name === undefined) return
  // After the name of an agent, the option may belong to the agent.
  if (['run', 'redteam', 'login'].includes(name) && !isJson(stdout)) return
  const schema = schemas[name] as z.ZodType
  const texts = isJson(stdout) ? [stdout] : stdout.trim().split('\n')
  for (const each of texts) {
    const parsed = schema.safeParse(JSON.parse(each))
    if (!parsed.success)
      throw new Error(`paddock ${args.join(' ')} printed what its schema does not allow: ${parsed.error.message}\n${each}`)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
