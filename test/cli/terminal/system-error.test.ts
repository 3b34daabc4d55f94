import { expect, test } from 'vitest'
import { resolvePaths } from '../../../src/base/paths.ts'
import { asSentence } from '../../../src/cli/terminal/system-error.ts'

const paths = resolvePaths({ HOME: '/home/u', PADDOCK_HOME: '/own' })
const hintOf = (code: string, syscall: string, file?: string): string =>
  (
    asSentence(Object.assign(new Error(`${code}: refused, ${syscall}`), { code, syscall, errno: -1, path: file }), paths) as {
      hint: string
    }
  ).hint

test('PADDOCK_HOME and the commands that make room are hints only for what Paddock keeps', () => {
  for (const code of ['EACCES', 'EROFS', 'ENOTDIR', 'EEXIST']) {
    expect(hintOf(code, 'open', '/own/state/audit/x')).toContain('PADDOCK_HOME')
    expect(hintOf(code, 'mkdir', '/own')).toContain('PADDOCK_HOME')
    for (const file of ['/home/u/contest/BRIEF.md', '/owner/x', undefined]) expect(hintOf(code, 'open', file)).not.toContain('PADDOCK_HOME')
  }
  expect(hintOf('ENOSPC', 'write', '/own/state/x')).toContain('paddock discard')
  expect(hintOf('ENOSPC', 'write', '/disk/contest/BRIEF.md')).toBe('Make room on that disk')
  expect(hintOf('EACCES', 'mkdir', '/root/x')).toBe('Check whether you may read and write there')
  expect(hintOf('EEXIST', 'mkdir', '/data/x')).toBe('Something else has that name; look at it: ls -ld /data/x')
})
