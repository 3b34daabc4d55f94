// One line for each agent: its adapter. The rest of Paddock knows nothing else about the agent.
export { acp } from './acp/adapter.ts'
export { claude } from './claude/adapter.ts'
export { codex } from './codex/adapter.ts'
export { command } from './command/adapter.ts'
export { gemini } from './gemini/adapter.ts'
export { grok } from './grok/adapter.ts'
export { opencode } from './opencode/adapter.ts'
