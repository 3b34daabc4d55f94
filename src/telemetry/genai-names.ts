/** The names of vendors in the conventions for generative AI, by the families of adapters. */
const providers: Readonly<Record<string, string>> = { anthropic: 'anthropic', openai: 'openai', google: 'gcp.gemini', xai: 'x_ai' }

/** Returns the value of `gen_ai.provider.name`. An agent that uses models of several vendors stands for itself. */
export function providerOf(agent: { readonly name: string; readonly family: string }): string {
  return providers[agent.family] ?? agent.name
}

/** Returns the value of `gen_ai.operation.name` for a request of a model API. */
export function operationOf(path: string): string {
  if (/:(?:stream)?generateContent$/i.test(path)) return 'generate_content'
  return /\/completions$/i.test(path) && !/\/chat\/completions$/i.test(path) ? 'text_completion' : 'chat'
}

/** The bounds that the conventions recommend for the buckets of tokens and of seconds. */
export const tokenBounds: readonly number[] = Array.from({ length: 14 }, (_, index) => 4 ** index)
export const secondBounds: readonly number[] = Array.from({ length: 14 }, (_, index) => 0.01 * 2 ** index)
