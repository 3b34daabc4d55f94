import type { OfferedTool, Turn } from './dialect.ts'
import { field, type Json, list, text } from './json.ts'

const shellNames = ['Bash', 'bash', 'exec_command', 'shell_command', 'run_shell_command', 'shell', 'run_terminal_cmd']

/** Returns a call of the offered shell tool, with an input that matches the tool's schema; null if no shell tool is offered. */
export function shellCall(command: string, offered: readonly OfferedTool[], id: string): Turn | null {
  const tool = shellNames.map((name) => offered.find((each) => each.name === name)).find((each) => each !== undefined)
  if (tool === undefined) return null
  return { kind: 'call', id, tool: tool.name, input: inputOf(tool.schema, command) }
}

function inputOf(schema: Json, command: string): Json {
  const properties = field(schema, 'properties')
  const key = field(properties, 'cmd') === undefined ? 'command' : 'cmd'
  const asList = field(field(properties, key), 'type') === 'array'
  const input: Record<string, Json> = { [key]: asList ? ['bash', '-lc', command] : command }
  for (const name of list(field(schema, 'required')).map(text)) {
    if (name !== key) input[name] = filler(field(properties, name))
  }
  return input
}

function filler(schema: Json): Json {
  const type = field(schema, 'type')
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return 60_000
  if (type === 'array') return []
  return text(list(field(schema, 'enum'))[0]) || 'a step of the script'
}
