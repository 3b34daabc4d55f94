import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSafeName, safeName } from '../../src/files/safe-name.ts'

test('a safe name stays in its directory', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9./-]{0,10}$/)), (name) => {
      if (isSafeName(name)) expect(path.dirname(path.resolve('/contest', name))).toBe('/contest')
    }),
  )
  for (const name of ['', '.', '..', 'a/b', '../a', 'A', 'a b', '-a', '.git', 'a\n', 'é', 'a'.repeat(64)])
    expect(isSafeName(name)).toBe(false)
})

test('another name is BAD_INPUT that says where and what would be right', () => {
  expect(() => safeName('../x', 'participants[0].name')).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringContaining('participants[0].name') }),
  )
})
