import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printableName } from '../../src/base/text.ts'
import { sealSubmission, treeHash } from '../../src/contest/seal/seal.ts'
import { sealSchema } from '../../src/contest/seal/seal-schema.ts'
import { unseal } from '../../src/contest/seal/unseal.ts'
import { namesIn } from '../support/sealed-files.ts'
import { temporary } from '../support/temporary.ts'

const bounds = { maxFiles: 1000, maxBytes: 64 * 1024 * 1024 }

async function stage() {
  const at = await temporary()
  const source = at.at('out')
  mkdirSync(source)
  const directory = at.at('sealed')
  const target = {
    directory,
    archive: path.join(directory, 'out.tar'),
    out: path.join(directory, 'out'),
    seal: path.join(directory, 'seal.json'),
  }
  const about = { attempt: 1, now: new Date(0), scratch: at.at('scratch') }
  return { source, target, about, at, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() }
}

test('takes regular files and nothing else, and says what it left out', async () => {
  await using s = await stage()
  const put = (name: string, content = name): void => writeFileSync(path.join(s.source, name), content)
  put('plain.txt')
  put('run.sh', '#!/bin/sh\n')
  execFileSync('chmod', ['6755', path.join(s.source, 'run.sh')])
  mkdirSync(path.join(s.source, 'deep/er'), { recursive: true })
  put('deep/er/file')
  linkSync(path.join(s.source, 'plain.txt'), path.join(s.source, 'hard.txt'))
  symlinkSync('/etc/passwd', path.join(s.source, 'passwd'))
  symlinkSync('/etc', path.join(s.source, 'etc'))
  symlinkSync('plain.txt', path.join(s.source, 'inside'))
  execFileSync('mkfifo', [path.join(s.source, 'pipe')])
  const server = createServer().listen(path.join(s.source, 'socket'))
  await new Promise((resolve) => server.once('listening', resolve))
  const seal = await sealSubmission(s.source, s.target, bounds, s.about)
  server.close()

  expect(seal.files.map((each) => `${each.path} ${each.mode}`)).toEqual([
    'deep/er/file 0644',
    'hard.txt 0644',
    'plain.txt 0644',
    'run.sh 0755',
  ])
  expect(seal.dropped.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'etc', why: 'it is a symbolic link' },
    { path: 'inside', why: 'it is a symbolic link' },
    { path: 'passwd', why: 'it is a symbolic link' },
    { path: 'pipe', why: 'it is a FIFO' },
    { path: 'socket', why: 'it is a socket' },
  ])
  expect(readdirSync(s.target.directory).toSorted()).toEqual(['out.tar', 'seal.json'])
  expect(namesIn(s.target.archive)).toEqual(['deep/er/file', 'hard.txt', 'plain.txt', 'run.sh'])
  await unseal(s.target, seal, s.at.at('copy'))
  expect(statSync(s.at.at('copy/run.sh')).mode & 0o7777).toBe(0o755)
  expect(statSync(s.at.at('copy/hard.txt')).nlink).toBe(1)
  expect(existsSync(s.about.scratch)).toBe(false)
  expect(sealSchema.parse(JSON.parse(readFileSync(s.target.seal, 'utf8')))).toEqual(seal)
  expect(seal.tree).toBe(treeHash(seal.files))
})

test('a sparse file of ten gigabytes is over the limit before a byte of it is copied', async () => {
  await using s = await stage()
  writeFileSync(path.join(s.source, 'huge'), '')
  truncateSync(path.join(s.source, 'huge'), 10 * 1024 ** 3)
  const seal = await sealSubmission(s.source, s.target, bounds, s.about)
  expect(seal).toMatchObject({ state: 'over-limit', files: [], bytes: 0 })
  expect(seal.message).toBe('it has more than 64 MiB (with huge, 10 GiB), which is what outputs.maxBytes allows')
  expect(namesIn(s.target.archive)).toEqual([])
  expect(existsSync(s.about.scratch)).toBe(false)
})

test('too many files, and too many names that are not files, are over the limit', async () => {
  await using s = await stage()
  for (let index = 0; index < 30; index += 1) writeFileSync(path.join(s.source, `f${index}`), '')
  expect(await sealSubmission(s.source, s.target, { ...bounds, maxFiles: 29 }, s.about)).toMatchObject({ state: 'over-limit', files: [] })
  for (let index = 0; index < 1100; index += 1) symlinkSync('/x', path.join(s.source, `l${index}`))
  expect((await sealSubmission(s.source, s.target, { ...bounds, maxFiles: 30 }, s.about)).message).toContain('names in all')
})

test('memory does not grow with the size of a file', async () => {
  await using s = await stage()
  const size = 256 * 1024 * 1024
  writeFileSync(path.join(s.source, 'large'), '')
  truncateSync(path.join(s.source, 'large'), size)
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  const seal = await sealSubmission(s.source, s.target, { ...bounds, maxBytes: 2 * size }, s.about)
  clearInterval(watch)
  expect(seal.bytes).toBe(size)
  expect(peak - before).toBeLessThan(64 * 1024 * 1024)
})

test('names that are not UTF-8 are left out and named by their bytes; control characters are kept, and escaped where they are shown', async () => {
  await using s = await stage()
  writeFileSync(Buffer.concat([Buffer.from(`${s.source}/`), Buffer.from([0x61, 0xff])]), 'x')
  writeFileSync(path.join(s.source, 'two\nlines\u202e'), 'x')
  writeFileSync(path.join(s.source, '\ufeffbom'), 'x')
  const seal = await sealSubmission(s.source, s.target, bounds, s.about)
  expect(seal.dropped).toEqual([{ path: 'a\\xff', why: 'its name is not UTF-8' }])
  expect(seal.files.map((each) => each.path)).toEqual(['two\nlines\u202e', '\ufeffbom'])
  expect(printableName('two\nlines\u202e')).toBe('two\\u{a}lines\\u{202e}')
})

test('directories too deep are not entered', async () => {
  await using s = await stage()
  mkdirSync(path.join(s.source, ...Array.from({ length: 80 }, () => 'd')), { recursive: true })
  const seal = await sealSubmission(s.source, s.target, bounds, s.about)
  expect(seal.dropped.map((each) => each.why)).toEqual(['deeper than 64 directories'])
})

test('an interrupted seal is discarded and made again', async () => {
  await using s = await stage()
  mkdirSync(s.target.directory)
  writeFileSync(s.target.archive, 'half')
  mkdirSync(s.about.scratch)
  writeFileSync(path.join(s.about.scratch, 'left-over'), 'half')
  writeFileSync(path.join(s.source, 'file'), 'whole')
  const seal = await sealSubmission(s.source, s.target, bounds, s.about)
  expect(seal.files.map((each) => each.path)).toEqual(['file'])
  expect(namesIn(s.target.archive)).toEqual(['file'])
})

test('a seal unpacks to the sealed files; a changed seal is refused', async () => {
  await using s = await stage()
  writeFileSync(path.join(s.source, 'file'), 'content')
  const seal = await sealSubmission(s.source, s.target, bounds, s.about)
  await unseal(s.target, seal, s.at.at('copy'))
  expect(readFileSync(s.at.at('copy/file'), 'utf8')).toBe('content')
  expect(statSync(s.at.at('copy/file')).mtime.toISOString()).toBe('2000-01-01T00:00:00.000Z')
  writeFileSync(s.target.archive, readFileSync(s.target.archive, 'latin1').replace('content', 'CONTENT'), 'latin1')
  await expect(unseal(s.target, seal, s.at.at('again'))).rejects.toMatchObject({ code: 'FILES_FAILED' })
})

test('a submission that was sealed as a directory is still read, and a changed one is refused', async () => {
  await using s = await stage()
  writeFileSync(path.join(s.source, 'file'), 'content')
  const seal = { ...(await sealSubmission(s.source, s.target, bounds, s.about)), schemaVersion: 1 as const }
  mkdirSync(s.target.out)
  writeFileSync(path.join(s.target.out, 'file'), 'content')
  await unseal(s.target, sealSchema.parse(seal), s.at.at('copy'))
  expect(readFileSync(s.at.at('copy/file'), 'utf8')).toBe('content')
  writeFileSync(path.join(s.target.out, 'file'), 'CONTENT')
  await expect(unseal(s.target, seal, s.at.at('again'))).rejects.toMatchObject({ code: 'FILES_FAILED' })
})

test('a sparse file counts in full, and is not smaller when it is unpacked', async () => {
  await using s = await stage()
  const size = 8 * 1024 * 1024
  writeFileSync(path.join(s.source, 'sparse'), '')
  truncateSync(path.join(s.source, 'sparse'), size)
  const seal = await sealSubmission(s.source, s.target, bounds, s.about)
  expect(seal.bytes).toBe(size)
  await unseal(s.target, seal, s.at.at('copy'))
  expect(statSync(s.at.at('copy/sparse')).blocks * 512).toBeGreaterThanOrEqual(size)
})

test('an escaped name is one line without control characters, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const shown = printableName(Buffer.from(bytes))
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(shown.length).toBeLessThanOrEqual(300)
    }),
  )
})
