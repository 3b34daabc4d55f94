/**
 * What agent CLIs load by themselves out of the directory that they work in, or out of one above or below it: words
 * that they follow, tools that they start, settings that they obey. Whoever reads other people's files renames these.
 * Names are compared without regard to case, as file systems that ignore it would.
 */
export const instructionFiles: {
  /** Names of files, at any depth. */
  readonly names: readonly string[]
  /** Names of directories, at any depth. */
  readonly directories: readonly string[]
  /** Paths of files below a directory that is itself harmless, `/` between the parts. */
  readonly paths: readonly string[]
} = {
  names: [
    'AGENTS.md',
    'AGENTS.override.md',
    'AGENT.md',
    'CLAUDE.md',
    'CLAUDE.local.md',
    'GEMINI.md',
    'GROK.md',
    'CONTEXT.md',
    'QWEN.md',
    'WARP.md',
    'JULES.md',
    '.cursorrules',
    '.windsurfrules',
    '.clinerules',
    '.roorules',
    '.rules',
    '.goosehints',
    '.mcp.json',
    '.env',
    '.geminiignore',
    '.cursorignore',
    '.aider.conf.yml',
    'opencode.json',
    'opencode.jsonc',
  ],
  directories: [
    '.agents',
    '.agent',
    '.claude',
    '.claude-plugin',
    '.codex',
    '.gemini',
    '.grok',
    '.opencode',
    '.cursor',
    '.windsurf',
    '.clinerules',
    '.roo',
    '.junie',
    '.kiro',
    '.qwen',
    '.continue',
    '.goose',
    '.amazonq',
    '.augment',
    '.trae',
  ],
  paths: ['.github/copilot-instructions.md', '.github/instructions', '.github/prompts', '.github/agents', '.vscode/mcp.json'],
}

const names = new Set(instructionFiles.names.map((each) => each.toLowerCase()))
const directories = new Set(instructionFiles.directories.map((each) => each.toLowerCase()))
const paths = instructionFiles.paths.map((each) => each.toLowerCase())

/** True where some agent CLI would load this by itself. `path` is relative to what is read, with `/` between the parts. */
export function isInstructionFile(path: string): boolean {
  const whole = path.toLowerCase()
  const parts = whole.split('/').filter((part) => part !== '')
  return (
    parts.some((part) => names.has(part) || directories.has(part)) || paths.some((each) => `/${parts.join('/')}/`.includes(`/${each}/`))
  )
}
