import { adapterNames } from '../../../adapters/find-adapter.ts'
import type { ContestConfig } from '../../config/contest-schema.ts'
import { type FindAdapter, familiesBehind } from '../../config/sense.ts'

/** Names of agents, models and vendors that reveal an author even if the contest does not name them. */
const known = [
  ...adapterNames,
  ...[
    'aider',
    'cline',
    'copilot',
    'cursor',
    'devin',
    'windsurf',
    'chatgpt',
    'gpt',
    'gpt-4',
    'gpt-5',
    'o3',
    'o4-mini',
    'sonnet',
    'opus',
    'haiku',
  ],
  ...['deepseek', 'qwen', 'mistral', 'codestral', 'llama', 'kimi', 'glm', 'minimax', 'gemma', 'grok'],
  ...['anthropic', 'openai', 'google', 'xai', 'moonshotai', 'zai', 'alibaba'],
]
/** Everyday words, and agent names that reveal nothing. */
const common = new Set(['command', 'acp', 'none', 'various', 'meta', 'local', 'latest', 'preview', 'default', 'auto'])
const shortest = 3

/**
 * Returns a pattern for names that reveal whose work something is: agents, models and vendors, except names that these texts (the briefs)
 * contain. Names match as whole words, ignoring case.
 */
export function identityWords(
  { participants }: Pick<ContestConfig, 'participants'>,
  texts: readonly (string | null)[],
  findAdapter: FindAdapter,
): RegExp | null {
  const own = participants.flatMap((each) => [
    each.agent,
    ...familiesBehind(each, findAdapter(each.agent)),
    ...(each.model === undefined ? [] : [each.model, ...each.model.split('/')]),
  ])
  const words = [...new Set([...known, ...own].map((each) => each.toLowerCase()))]
    .filter((each) => each.length >= shortest && !common.has(each))
    .filter((each) => !texts.some((text) => text !== null && pattern([each]).test(text)))
  return words.length === 0 ? null : pattern(words)
}

/** Returns a pattern for any of the words. Longer ones come first, so that `gpt-5` does not match as `gpt`. */
function pattern(words: readonly string[]): RegExp {
  const any = words
    .toSorted((a, b) => b.length - a.length)
    .map((each) => each.replaceAll(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`))
    .join('|')
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'giu')
}
