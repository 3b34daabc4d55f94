/**
 * Files that agent CLIs load by themselves from their working directory, or from one above or below it: instructions that they
 * follow, tools that they start, settings that they obey. A caller that reads other people's files must rename them.
 */
export interface InstructionFiles {
  /** File names, at any depth. */
  readonly names?: readonly string[]
  /** Directory names, at any depth. */
  readonly directories?: readonly string[]
  /** Paths of files in a directory that is itself harmless, with `/` between names. */
  readonly paths?: readonly string[]
}

/** Files that several agents share, and files of agents that Paddock does not run. */
const general: Required<InstructionFiles> = {
  names: [
    'AGENTS.md',
    'AGENT.md',
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
    '.cursorignore',
    '.aider.conf.yml',
  ],
  directories: [
    '.agents',
    '.agent',
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

/**
 * Returns a function that checks whether some agent CLI would load a file by itself, given its path relative to the directory that is read.
 * Names are compared without case, as on file systems that ignore it.
 */
export function instructionRules(ofAgents: readonly InstructionFiles[]): (path: string) => boolean {
  const all = (kind: keyof InstructionFiles): readonly string[] =>
    [general, ...ofAgents].flatMap((each) => each[kind] ?? []).map((each) => each.toLowerCase())
  const whole = new Set([...all('names'), ...all('directories')])
  const paths = all('paths')
  return (path) => {
    const parts = path
      .toLowerCase()
      .split('/')
      .filter((part) => part !== '')
    return parts.some((part) => whole.has(part)) || paths.some((each) => `/${parts.join('/')}/`.includes(`/${each}/`))
  }
}
