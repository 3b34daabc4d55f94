import { visible } from '../../parts/visible.ts'

/** Characters of a prompt that its page is called by. */
const longestTitle = 80

/** What a job is called: the first line of its prompt. */
export function titleOf(prompt: string): string {
  const line = visible(
    prompt
      .slice(0, 1_000)
      .split('\n')
      .find((each) => each.trim() !== '') ?? 'Job',
  )
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line
}
