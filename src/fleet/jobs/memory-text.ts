import type { Episode } from '../store/episodes.ts'
import { quotedData } from './quoted-data.ts'

/** The path of an agent's memory in its cell, which cannot change the file. */
export const memoryFile = '/memory.md'

/** The hint that an agent with a memory gets with each new prompt. */
export const memoryHint = `(Notes on your earlier jobs are in ${memoryFile}.)`

/** Returns the content of the memory file, oldest entries first. Prompts and answers are quoted as data: both may contain foreign text. */
export function memoryText(episodes: readonly Episode[]): string {
  const parts = episodes.toReversed().map(({ at, state, prompt, answer, origin }) => {
    const whose = origin === null ? '' : `, of the agent ${origin}`
    return `## ${at}: ${state}${whose}\n\n${quotedData('the task', prompt)}\n${quotedData('the answer', answer)}`
  })
  return `# What you did before\n\n${parts.join('\n')}`
}
