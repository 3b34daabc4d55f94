import { visible } from '../../parts/visible.ts'

/** The most characters of a prompt in a title. */
const longestTitle = 80

/** Returns the title of a job: the first line of its prompt. */
export function titleOf(prompt: string): string {
  const line = visible(
    prompt
      .slice(0, 1_000)
      .split('\n')
      .find((each) => each.trim() !== '') ?? 'Job',
  )
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line
}
