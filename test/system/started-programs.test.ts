import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { run, spawn } from '../../src/system/start-program.ts'
import { violationsIn } from './started-programs.ts'

const root = path.join(import.meta.dirname, '../..')

/** Files that may use node:child_process: the one that checks programs, and code that runs in cells. */
const mayImport = [
  'src/system/start-program.ts',
  'src/adapters/acp/bridge/bridge-main.ts',
  'src/fleet/model/runner/bash.ts',
  'src/guarantees/probe/inside.ts',
]

test('no program is started on the host except through src/system/start-program.ts, and none by its name', () => {
  const files = globSync('src/**/*.{ts,mjs}', { cwd: root })
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    violationsIn(readFileSync(path.join(root, file), 'utf8'), mayImport.includes(file)).map(({ line, what }) => `${file}:${line} ${what}`),
  )
  expect(found).toEqual([])
})

test.each([
  ["import { spawn } from 'node:child_process'", 'imports node:child_process'],
  ["import cp from 'child_process'", 'imports node:child_process'],
  ["import { type ChildProcess, spawn } from 'node:child_process'", 'imports node:child_process'],
  ["export { spawn } from 'node:child_process'", 'imports node:child_process'],
  ["const { spawn } = await import('node:child_process')", 'loads node:child_process'],
  ["process.getBuiltinModule('child_process').execSync(line)", 'loads node:child_process'],
  ["import { run } from '../system/start.ts'\nawait run('npm', ['config'])", 'starts "npm" by its name'],
  ["import { spawn } from '../system/start.ts'\nspawn(`gh`, [])", 'starts "gh" by its name'],
])('the check finds a violation: %s', (text, what) => {
  expect(violationsIn(text, false).map((each) => each.what)).toContain(what)
})

test.each([
  "import type { ChildProcess } from 'node:child_process'",
  "import { spawn } from '../system/start.ts'\nspawn('/bin/sh', ['-c', script])",
  'spawn(hostProgram(name) ?? process.execPath, [])',
])('and nothing else: %s', (text) => {
  expect(violationsIn(text, false)).toEqual([])
})

test.each(['sh', './sh', '', 'bin/sh'])('a program that is not an absolute path is not started: "%s"', async (program) => {
  expect(() => spawn(program, ['-c', 'true'])).toThrow('was not found by hostProgram')
  expect(() => run(program, ['-c', 'true'])).toThrow('was not found by hostProgram')
  expect((await run('/bin/sh', ['-c', 'echo here'])).stdout).toBe('here\n')
})
