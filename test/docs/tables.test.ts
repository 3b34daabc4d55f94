import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './english.ts'

/** Returns the visible text of a table cell: a link without its address. */
const shown = (cell: string): string => cell.trim().replace(/\]\([^)]*\)/g, ']')

test('cells of tables hold facts: at most 120 characters', () => {
  const documents = globSync(['*.md', 'docs/*.md', 'docs/guide/*.md'], { cwd: root }).filter((each) => each !== 'docs/GUARANTEES.md')
  expect(documents.length).toBeGreaterThan(20)
  const long = documents.flatMap((file) => {
    let isCode = false
    return readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (line.startsWith('```')) isCode = !isCode
        const cells = isCode || !line.startsWith('|') || /^[|\s-]+$/.test(line) ? [] : line.split(/(?<!\\)\|/)
        return cells.filter((cell) => shown(cell).length > 120).map((cell) => `${file}:${index + 1}: ${shown(cell).slice(0, 80)}`)
      })
  })
  expect(long).toEqual([])
})
