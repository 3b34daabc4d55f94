import type { Episode } from '../store/episodes.ts'
import { quotedData } from './quoted-data.ts'

/** The file with an agent's memory, which its cell cannot change. */
export const memoryFile = '/memory.md'

/** The text that an agent with a memory gets with each new prompt. */
export const memoryHint = `(Notes on your earlier jobs are in ${memoryFile}.)`

/** Returns the content of the file, oldest entries first. Prompts and answers are quoted as data, as either may contain foreign text. */
export function memoryText(episodes: readonly Episode[]): string {
  const parts = episodes.toReversed().map(({ at, state, prompt, answer, origin }) => {
    const whose = origin === null ? '' : `, of the agent ${origin}`
    return `## ${at}: ${state}${whose}\n\n${quotedData('the task', prompt)}\n${quotedData('the answer', answer)}`
  })
  return `# What you did before\n\n${parts.join('\n')}`
}
