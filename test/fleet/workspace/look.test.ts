import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { lookInto } from '../../../src/fleet/workspace/workspace-state.ts'

const root = mkdtempSync('/tmp/paddock-look-')
const work = path.join(root, 'work')
mkdirSync(path.join(work, 'docs/deep'), { recursive: true })
writeFileSync(path.join(root, 'secret'), 'not for pages')
writeFileSync(path.join(work, 'docs/a.md'), 'A')
writeFileSync(path.join(work, 'bytes'), Buffer.from([0, 1, 2]))
writeFileSync(path.join(work, 'large'), Buffer.alloc(600 * 1024, 'x'))
symlinkSync('../secret', path.join(work, 'link'))
symlinkSync('..', path.join(work, 'up'))
symlinkSync('../..', path.join(work, 'docs/up'))
execFileSync('mkfifo', [path.join(work, 'pipe')])
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('looking into a workspace that an agent writes', () => {
  test('directories and files are shown', async () => {
    const top = await lookInto(work, [])
    expect(top.kind === 'directory' && top.entries.map(({ name, kind }) => [name, kind])).toEqual([
      ['docs', 'directory'],
      ['bytes', 'file'],
      ['large', 'file'],
      ['link', 'link'],
      ['pipe', 'other'],
      ['up', 'link'],
    ])
    expect(await lookInto(work, ['docs', 'a.md'])).toEqual({ kind: 'file', size: 1, text: 'A' })
    expect(await lookInto(work, ['bytes'])).toEqual({ kind: 'file', size: 3, text: null })
    await expect(lookInto(work, ['large'])).rejects.toThrow('larger than 512 KiB')
  })

  test.each([['link'], ['up'], ['pipe'], ['nothing'], ['up', 'secret'], ['docs', 'up', 'secret'], ['docs', 'a.md', 'x']])(
    'nothing is followed or waited for: %s %s %s',
    async (...names) => {
      await expect(
        lookInto(
          work,
          names.filter((each) => each !== undefined),
        ),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    },
  )

  test.each([['..'], ['.'], [''], ['a/b'], ['a\0b'], ['x'.repeat(300)]])('%j is not a name', async (name) => {
    await expect(lookInto(work, [name])).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})
