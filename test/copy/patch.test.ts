import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PatchedFile, patchOf, quoted } from '../../src/copy/reviewing/patch.ts'
import { temporary } from '../support/temporary.ts'

const lines = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '\ttab', 'ü', '-- x', '+++ b/x'), { maxLength: 12 })
  .map((all) => Buffer.from(all.join('\n')))
const bytes = fc.oneof(
  lines,
  lines.map((all) => Buffer.concat([all, Buffer.from('\n')])),
  fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each)),
)
const side = fc.record({ mode: fc.constantFrom('100644' as const, '100755' as const), bytes })
const name = fc.constantFrom('plain', 'with space', 'qu"ote', 'new\nline', 'ümlaut', 'back\\slash', 'a/b/c', 'tab\tbed')

test('git takes every patch: text, binary, modes, new and deleted files, any name', async () => {
  await using directory = await temporary()
  fc.assert(
    fc.property(name, fc.option(side), fc.option(side), (file, old, now) => {
      const root = path.join(directory.path, 'work')
      rmSync(root, { recursive: true, force: true })
      mkdirSync(root)
      if (old !== null) put(root, file, old)
      const patch = patchOf({ path: file, old, now }, 'whole')
      expect(patch === '').toBe(same(old, now))
      if (patch === '') return
      writeFileSync(path.join(directory.path, 'patch'), patch)
      execFileSync('git', ['apply', '--unsafe-paths', '--whitespace=nowarn', '../patch'], {
        cwd: root,
        env: { PATH: process.env['PATH'], GIT_CEILING_DIRECTORIES: directory.path, GIT_CONFIG_GLOBAL: '/dev/null' },
      })
      const left = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
      expect(left.length).toBe(now === null ? 0 : 1)
      if (now !== null) expect(readFileSync(path.join(root, file)).equals(now.bytes)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

function put(root: string, file: string, { mode, bytes: content }: NonNullable<PatchedFile['old']>): void {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(root, file), content, { mode: mode === '100755' ? 0o755 : 0o644 })
}

function same(a: PatchedFile['old'], b: PatchedFile['old']): boolean {
  return a === null || b === null ? a === b : a.mode === b.mode && a.bytes.equals(b.bytes)
}

test('a file that becomes a link is deleted and created again', () => {
  const patch = patchOf(
    { path: 'x', old: { mode: '100644', bytes: Buffer.from('x\n') }, now: { mode: '120000', bytes: Buffer.from('y') } },
    'whole',
  )
  expect(patch).toContain('deleted file mode 100644')
  expect(patch).toContain('new file mode 120000')
})

test('a name is quoted as git quotes it', () => {
  expect(['a b', 'a"b', 'a\nb', 'a\\b', 'ü'].map(quoted)).toEqual(['a b', '"a\\"b"', '"a\\012b"', '"a\\\\b"', 'ü'])
})
