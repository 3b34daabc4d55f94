import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { indexOf } from '../../../src/cell/plan/held/held-repository.ts'

test('an index is read again when git has replaced it, and one that cannot be read is none', () => {
  const root = mkdtempSync('/tmp/paddock-index-')
  try {
    const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
    const paths = (): readonly string[] | undefined => indexOf(path.join(root, '.git'), 20)?.map((each) => each.path)
    git('init', '-q')
    expect(paths()).toBeUndefined()
    for (const each of ['a', 'b']) {
      writeFileSync(path.join(root, each), '')
      git('add', each)
      expect(paths()?.at(-1)).toBe(each)
    }
    expect(indexOf(path.join(root, '.git'), 20)).toBe(indexOf(path.join(root, '.git'), 20))
    expect(indexOf(`/${'x'.repeat(5000)}`, 20)).toBeNull()
  } finally {
    rmSync(root, { recursive: true })
  }
})
