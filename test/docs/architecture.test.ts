import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './english.ts'

const text = readFileSync(path.join(root, 'docs/ARCHITECTURE.md'), 'utf8')

test('every file that the architecture names is there', () => {
  const files = [...text.matchAll(/`((?:src|test)\/[^`* ]+)`/g)].map((found) => found[1] ?? '')
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((each) => !existsSync(path.join(root, each)))).toEqual([])
})

test('every function that it names is exported by the file beside it', () => {
  const named = [...text.matchAll(/`(\w+)` in\s+`(src\/[^`]+\.ts)`/g)]
  expect(named.length).toBeGreaterThan(10)
  for (const [, name = '', file = ''] of named)
    expect([
      file,
      name,
      new RegExp(`^export (?:async )?(?:function|class|const) ${name}\\b`, 'm').test(readFileSync(path.join(root, file), 'utf8')),
    ]).toEqual([file, name, true])
})

test('it has at most 200 lines', () => {
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(200)
})

test('documents that sources name are there', () => {
  const sources = globSync('src/**/*.ts', { cwd: root })
  const named = sources.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([document]) => [file, document] as const),
  )
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter(([, document]) => !existsSync(path.join(root, document)))).toEqual([])
})
