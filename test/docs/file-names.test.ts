import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Names of files that repeat because each of them fulfils the same contract. */
const contracts = ['adapter.ts', 'backend.ts', 'login.ts', 'output.ts']

test('the name of a file says what it is about without its folder, so no two files have the same one', () => {
  const files = ['src', 'web'].flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs,pl,css}`, { exclude: ['**/node_modules/**'] }))
  expect(files.length).toBeGreaterThan(1000)
  const repeated = [...Map.groupBy(files, (each) => path.basename(each)).entries()].filter(
    ([name, all]) => all.length > 1 && !contracts.includes(name),
  )
  expect(repeated).toEqual([])
})
