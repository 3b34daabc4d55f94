import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const programs = globSync('src/**/*.pl', { cwd: root }).sort()

test('the programs in Perl are files', () => {
  expect(programs.length).toBeGreaterThan(0)
  // A program of one statement needs no variables.
  const texts = globSync('src/**/*.ts', { cwd: root }).filter((each) =>
    /\buse strict;|\bmy [($@%]/.test(readFileSync(path.join(root, each), 'utf8')),
  )
  expect(texts).toEqual([])
})

// Checked here and not in the programs, because every cell waits for some of them and would load strict and warnings each time.
test.each(programs)('perl compiles %s under strict, without a warning', (file) => {
  const { status, stderr } = spawnSync('perl', ['-Mstrict', '-wc', file], { cwd: root, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, `${file} syntax OK\n`])
})

test.each(programs)('the built command has %s', (file) => {
  const built = path.join(root, 'dist', path.basename(file))
  expect(existsSync(built) && readFileSync(built, 'utf8')).toBe(readFileSync(path.join(root, file), 'utf8'))
})
