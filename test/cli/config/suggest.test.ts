import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { suggestPresets } from '../../../src/cli/config/init/suggest.ts'

test.each([
  ['pom.xml', 'maven'],
  ['Cargo.toml', 'cargo'],
  ['go.mod', 'go'],
  ['Gemfile', 'gem'],
])('%s in the directory suggests the preset %s', (file, name) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'paddock-suggest-'))
  try {
    writeFileSync(path.join(directory, file), '')
    const [first, ...others] = suggestPresets(directory, {})
    expect(first).toMatchObject({ name, why: `${file} is here`, isUsual: true })
    expect(others.some((each) => each.isUsual)).toBe(false)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
