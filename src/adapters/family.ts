import type { AgentAdapter, Family } from './adapter.ts'

/** Vendor names that differ from the name of the family. */
const sameVendor: Readonly<Record<string, Family>> = {
  'google-vertex': 'google',
  'x-ai': 'xai',
  'z-ai': 'zai',
  zhipuai: 'zai',
  'meta-llama': 'meta',
  llama: 'meta',
  mistralai: 'mistral',
  moonshot: 'moonshotai',
  alibaba: 'qwen',
}

/** Providers that resell models of many vendors, and programs that run such models locally. Their names do not reveal the vendor. */
const resellers = new Set(
  (
    'amazon-bedrock azure baseten bedrock cerebras chutes cloudflare deepinfra fireworks fireworks-ai github github-copilot github-models groq ' +
    'hf huggingface hyperbolic litellm llama.cpp llamacpp lmstudio local localhost mlx nebius novita nvidia ollama opencode opencode-go openrouter ' +
    'perplexity replicate requesty sambanova sglang together togetherai vercel vertex vllm zen'
  ).split(' '),
)

const modelPrefixes: readonly (readonly [RegExp, Family])[] = [
  [/^(claude|anthropic\.claude)/, 'anthropic'],
  [/^(gpt|o\d|codex|chatgpt)/, 'openai'],
  [/^(gemini|gemma)/, 'google'],
  [/^grok/, 'xai'],
  [/^deepseek/, 'deepseek'],
  [/^(qwen|qwq)/, 'qwen'],
  [/^(mistral|mixtral|codestral|devstral|magistral)/, 'mistral'],
  [/^(llama|meta-llama)/, 'meta'],
  [/^kimi/, 'moonshotai'],
  [/^glm/, 'zai'],
  [/^minimax/, 'minimax'],
  [/^phi-?\d/, 'microsoft'],
]

/**
 * Returns the vendor of the model behind an agent. For an agent of one vendor, that is the adapter's family. For an agent that runs any
 * models (`various`), it is the first part of `provider/model` that is not a reseller, or the vendor that the model's name shows; `various`
 * if neither is known.
 */
export function familyOf(adapter: Pick<AgentAdapter, 'family'>, model: string | null): Family {
  if (adapter.family !== 'various' || model === null) return adapter.family
  const parts = model.toLowerCase().split('/')
  const vendor = parts.slice(0, -1).find((part) => !resellers.has(part))
  if (vendor !== undefined) return sameVendor[vendor] ?? vendor
  const name = parts.at(-1) ?? ''
  return modelPrefixes.find(([prefix]) => prefix.test(name))?.[1] ?? 'various'
}
