import type { AgentAdapter, Family } from './adapter.ts'

const vendors: Readonly<Record<string, Family>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  'google-vertex': 'google',
  xai: 'xai',
}

const modelPrefixes: readonly (readonly [RegExp, Family])[] = [
  [/^(claude|anthropic\.claude)/, 'anthropic'],
  [/^(gpt|o\d|codex|chatgpt)/, 'openai'],
  [/^(gemini|gemma)/, 'google'],
  [/^grok/, 'xai'],
]

/**
 * The family behind an agent that runs this model. For an agent of one vendor it is the adapter's; for an agent that
 * runs anybody's models (`various`) it is read from `provider/model`, from the model's own name where the provider
 * only passes it on, and stays `various` where neither tells.
 */
export function familyOf(adapter: Pick<AgentAdapter, 'family'>, model: string | null): Family {
  if (adapter.family !== 'various' || model === null) return adapter.family
  const parts = model.toLowerCase().split('/')
  const vendor = parts.slice(0, -1).find((part) => Object.hasOwn(vendors, part))
  const name = parts.at(-1) ?? ''
  return (vendor === undefined ? modelPrefixes.find(([prefix]) => prefix.test(name))?.[1] : vendors[vendor]) ?? 'various'
}
