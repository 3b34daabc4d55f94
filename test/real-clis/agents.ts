/** What the tests need to know of a real CLI to put a local model behind it. */
export interface RealAgent {
  readonly name: string
  /** A model that the CLI takes, as the CLI names it. */
  readonly model: string
  /** The same as its requests name it. */
  readonly asked: string
  /** The variable of its key. */
  readonly key: string
  /** The beginning of the first line of its output. */
  readonly opens: RegExp
  /** Names beyond its model endpoint that it asks for and does well without. */
  readonly triesInVain: RegExp | null
}

export const realAgents: readonly RealAgent[] = [
  {
    name: 'claude',
    model: 'claude-sonnet-5-5',
    asked: 'claude-sonnet-5-5',
    key: 'ANTHROPIC_API_KEY',
    opens: /^\{"type":"system","subtype":"init",/,
    triesInVain: null,
  },
  { name: 'codex', model: 'gpt-5.5', asked: 'gpt-5.5', key: 'CODEX_API_KEY', opens: /^\{"type":"thread\.started",/, triesInVain: null },
  {
    name: 'gemini',
    model: 'gemini-2.5-flash',
    asked: 'gemini-2.5-flash',
    key: 'GEMINI_API_KEY',
    opens: /^\{"type":"init",/,
    triesInVain: null,
  },
  {
    name: 'opencode',
    model: 'local/some-model',
    asked: 'some-model',
    key: 'OPENAI_API_KEY',
    opens: /^\{"type":"step_start",/,
    // The package that its plugins would import, from the registry.
    triesInVain: /^registry\./,
  },
]

/** The name in a cell under which the local model is reached. */
export const modelHost = 'models.test'

/** HOST:PORT=ADDRESS:PORT for a model server on this port of the loopback. */
export function pin(port: number): string {
  return `${modelHost}:${port}=127.0.0.1:${port}`
}
