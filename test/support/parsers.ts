import type { AgentParser } from '../../src/adapters/adapter.ts'
import { adapters } from '../../src/adapters/find-adapter.ts'

/** The adapters load their parsers on demand. These are loaded once, so that tests can make many of them in one go. */
const made = new Map<string, () => AgentParser>()
for (const { name } of adapters) {
  const module = (await import(`../../src/adapters/${name}/output.ts`)) as Record<string, () => AgentParser>
  const make = module[`${name}Parser`]
  if (make === undefined) throw new Error(`${name}/output.ts exports no ${name}Parser`)
  made.set(name, () => make())
}

/** Returns a new parser for the output of an agent. */
export function newParser(agent: string): AgentParser {
  const make = made.get(agent)
  if (make === undefined) throw new Error(`there is no parser for ${agent}`)
  return make()
}
