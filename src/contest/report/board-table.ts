import { cell, table } from './markdown.ts'
import { boardNames } from './shared-words.ts'
import { boardWords, type OnBoards, onBoards, styleWords } from './words.ts'

/** Returns the other rankings of the same work, as Markdown. */
export function boardTable(summary: OnBoards): string[] {
  const { boards } = summary
  if (boards.length === 0) return []
  const rows = onBoards(summary).map((name) => [cell(name), ...boards.map((each) => boardWords(each, name))])
  const style = styleWords(boards).flatMap((each) => ['', cell(each)])
  return [
    '## Other rankings of the same work',
    '',
    ...table(['Participant', ...boards.map(({ id }) => boardNames[id])], rows),
    ...style,
    '',
  ]
}
