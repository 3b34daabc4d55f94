import { symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRegular } from '../../src/files/read-regular.ts'
import { temporary } from '../support/temporary.ts'

test('a file is read up to its bound, and not beyond', async () => {
  await using at = await temporary()
  for (const size of [0, 1, 4095, 4096, 4097, 100_000]) {
    writeFileSync(at.at('file'), 'x'.repeat(size))
    expect(await readRegular(at.at('file'), size)).toEqual({ ok: true, bytes: Buffer.from('x'.repeat(size)) })
    expect(await readRegular(at.at('file'), size + 1)).toMatchObject({ ok: true })
    if (size > 0) expect(await readRegular(at.at('file'), size - 1)).toEqual({ ok: false, why: 'too-large' })
  }
})

test('a file without a size is read, too, and its content counts', async () => {
  // A file of the kernel, whose size is 0 according to fstat.
  const whole = await readRegular('/proc/self/mountinfo', 10_000_000)
  expect(whole.ok && whole.bytes.length > 100).toBe(true)
  expect(await readRegular('/proc/self/mountinfo', 100)).toEqual({ ok: false, why: 'too-large' })
})

test('a link, a directory and nothing are not files', async () => {
  await using at = await temporary()
  symlinkSync('/etc/passwd', at.at('link'))
  expect([await readRegular(at.at('link'), 100_000), await readRegular(at.path, 1), await readRegular(at.at('none'), 1)]).toEqual([
    { ok: false, why: 'not-a-file' },
    { ok: false, why: 'not-a-file' },
    { ok: false, why: 'missing' },
  ])
})
