/** The facts about a real CLI that tests need to put a local model behind it. */
export interface RealAgent {
  readonly name: string
  /** A model that the CLI accepts, under the CLI's name for it. */
  readonly model: string
  /** The name of the same model in its requests. */
  readonly asked: string
  /** The environment variable of its key. */
  readonly key: string
  /** Matches the start of the first line of its output. */
  readonly opens: RegExp
  /** Matches names other than its model endpoint that it tries to reach but does not need. */
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
    // The registry, from which its plugins would import a package.
    triesInVain: /^registry\./,
  },
]

/** The name of the local model's host in a cell. */
export const modelHost = 'models.test'

/** Returns HOST:PORT=ADDRESS:PORT for a model server on this loopback port. */
export function pin(port: number): string {
  return `${modelHost}:${port}=127.0.0.1:${port}`
}
