import type { Episode } from '../store/episodes.ts'
import { quotedData } from './quoted-data.ts'

/** Where an agent finds what it remembers: a file that its cell cannot change. */
export const memoryFile = '/memory.md'

/** The text that an agent with a memory gets with a new prompt. */
export const memoryHint = `(Notes on your earlier jobs are in ${memoryFile}.)`

/** The file: the oldest first; each prompt and answer as quoted data, for either may hold what others wrote. */
export function memoryText(episodes: readonly Episode[]): string {
  const parts = episodes.toReversed().map(({ at, state, prompt, answer, origin }) => {
    const whose = origin === null ? '' : `, of the agent ${origin}`
    return `## ${at}: ${state}${whose}\n\n${quotedData('the task', prompt)}\n${quotedData('the answer', answer)}`
  })
  return `# What you did before\n\n${parts.join('\n')}`
}
