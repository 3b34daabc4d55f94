import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { copyStart } from '../../src/contest/run/start/copy-start.ts'
import { temporary } from '../support/temporary.ts'

test('links keep their targets, and what is not a file is refused by name', async () => {
  await using root = await temporary()
  const from = path.join(root.path, 'from')
  mkdirSync(path.join(from, 'in'), { recursive: true })
  writeFileSync(path.join(from, 'in/file'), 'text')
  symlinkSync('/etc/passwd', path.join(from, 'link'))
  await copyStart(from, path.join(root.path, 'to'))
  expect(readFileSync(path.join(root.path, 'to/in/file'), 'utf8')).toBe('text')
  expect(readlinkSync(path.join(root.path, 'to/link'))).toBe('/etc/passwd')
  execFileSync('mkfifo', [path.join(from, 'in/pipe')])
  await expect(copyStart(from, path.join(root.path, 'again'))).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringContaining('cannot be copied'),
  })
})
