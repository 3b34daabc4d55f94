import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanTree } from '../../src/credentials/scan/scan-tree.ts'
import { findingText, type ScanResult } from '../../src/credentials/scan/secret-finding.ts'
import { RuleThread } from '../../src/credentials/scan/secret-rules.ts'
import { survey } from '../../src/credentials/scan/survey.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { temporary } from '../support/temporary.ts'

const value = 'a-credential-that-was-in-play/0123456789'
// In pieces, so that no scanner reports this file.
const github = `ghp${'_'}wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx`
const looks: Readonly<Record<string, string>> = {
  'a github token': `x = "${github}"`,
  'an openai key': `sk-proj-${'aB3dEfGhIj'.repeat(7)}abcdT3${'BlbkFJ'}${'aB3dEfGhIj'.repeat(7)}abcd`,
  'an anthropic login': `sk-ant-oat01-${'aB3dE_-x'.repeat(10)}`,
  'a google key': `AIza${'SyD-aB3dEfGh1234567890aB3dEfGh12345'}`,
  'a private key': `-----BEGIN EC ${'PRIVATE'} KEY-----\n${'MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVIOa'.repeat(2)}\n-----END EC PRIVATE KEY-----`,
  'a password in a URL': 'https://user:aPassw0rdThatIsLong@host.test.com/x.git',
  'a token in a URL': 'https://aB3dEfGhIjKlMnOpQrStUv@host.test.com/x.git',
  'a database': 'postgres://user:aPassw0rd@db.test.com:5432/x',
}

async function place(files: Readonly<Record<string, string | Buffer>>) {
  const at = await temporary()
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(at.at(file)), { recursive: true })
    writeFileSync(at.at(file), content)
  }
  return at
}

const texts = (found: ScanResult): string[] => found.findings.map(findingText).sort()

test('finds what was in play, with line and column, in texts, binaries and names', async () => {
  using secret = Secret.fromText('MY_KEY', value)
  await using at = await place({
    'deep/text': `one\ntwo ${value}\n`,
    binary: Buffer.concat([Buffer.alloc(300_000, 7), Buffer.from(`\n\n--${value}`)]),
    [`named-${Buffer.from(value).toString('hex')}`]: '',
    'fine.txt': 'fine\n',
  })
  const found = await scanTree(at.path, { inPlay: [secret] })
  expect(texts(found)).toEqual([
    'binary:3 (MY_KEY, which the cell had)',
    'deep/text:2 (MY_KEY, which the cell had)',
    'named-[secret MY_KEY] (MY_KEY, which the cell had)',
  ])
  expect(found.findings.find((each) => each.path === 'deep/text')).toMatchObject({
    line: 2,
    column: 5,
    endColumn: 5 + value.length,
    masked: '',
  })
  expect(found.files).toBe(4)
})

/** Returns a zip file (APPNOTE 6.3.10) of one stored and one deflated member. */
function zipOf(content: Buffer): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, method, data] of [
    ['stored', 0, content],
    ['dir/deflated', 8, deflateRawSync(content)],
  ] as const) {
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(method, 8)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(local, Buffer.from(name), data)
    directory.push(entry, Buffer.from(name))
    at += 30 + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(2, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

test('looks into gzip, zstd and zip files, whatever their names', async () => {
  using secret = Secret.fromText('MY_KEY', value)
  // It is there twice, so that the compressed bytes do not contain it in plain.
  const inside = Buffer.concat([Buffer.alloc(1000, 9), Buffer.from(value), Buffer.alloc(1000, 9), Buffer.from(value)])
  await using at = await place({ inner: inside, 'a.bin': gzipSync(inside), 'b.txt': zstdCompressSync(inside), c: zipOf(inside) })
  execFileSync('tar', ['czf', 'd.tgz', 'inner'], { cwd: at.path })
  const found = await scanTree(at.path, { inPlay: [secret], wanted: (file) => file !== 'inner' })
  const members = found.findings.filter((each) => each.line === null).map(findingText)
  expect(members.sort()).toEqual(
    ['a.bin', 'b.txt', 'c!dir/deflated', 'c!stored', 'd.tgz'].map((each) => `${each} (MY_KEY, which the cell had)`),
  )
  expect(found.notLooked).toEqual([])
})

test.each([
  ['is damaged', gzipSync(randomBytes(1000)).subarray(0, 300), 'inside of it: it is damaged'],
  ['grows without end', gzipSync(Buffer.alloc(20_000_000)), 'inside of it: too much to decompress'],
])('a compressed file that %s is reported as not scanned', async (_, content, why) => {
  using secret = Secret.fromText('MY_KEY', value)
  await using at = await place({ file: content, 'not.zip': Buffer.from('PK\u0003\u0004 and nothing more') })
  const found = await scanTree(at.path, { inPlay: [secret], bounds: { unpackedBytes: 4_000_000 } })
  expect(found.notLooked).toEqual([{ path: 'file', why }])
})

test.each(Object.entries(looks))('takes %s for a secret, and shows four characters of it at most', async (_, text) => {
  await using at = await place({ 'dir/file.txt': `first\n${text}\nlast\n` })
  const found = await scanTree(at.path, { inPlay: [] })
  expect(found.findings.length).toBeGreaterThan(0)
  expect(found.findings[0]).toMatchObject({ path: 'dir/file.txt', line: 2 })
  const shown = JSON.stringify(found)
  for (let from = 0; from + 6 <= text.length; from++) {
    const part = text.slice(from, from + 6)
    if (/^[A-Za-z0-9+/_-]+$/.test(part) && !/^(x|--+)/.test(part))
      expect(found.findings.every((each) => !each.masked.includes(part))).toBe(true)
  }
  expect(shown).not.toContain(text.slice(0, 40))
})

test('follows no link, waits for no FIFO, and shows no character that could trick a terminal', async () => {
  await using outside = await place({ secret: github })
  await using at = await place({ 'a\u001b[2Jb\n\u202ec': github })
  symlinkSync(outside.at('secret'), at.at('link'))
  symlinkSync(outside.path, at.at('directory'))
  execFileSync('mkfifo', [at.at('fifo')])
  const found = await scanTree(at.path, { inPlay: [] })
  expect(found.findings.map((each) => each.path)).toEqual(['a\\u{1b}[2Jb\\u{a}\\u{202e}c'])
})

test('no flood of look-alikes hides what was in play', async () => {
  using secret = Secret.fromText('MY_KEY', value)
  await using at = await place({
    ...Object.fromEntries(Array.from({ length: 30 }, (_, each) => [`flood-${each}`, `${github}\n`.repeat(50)])),
    'zz-last': `${github}\n`.repeat(50) + value,
  })
  const found = await scanTree(at.path, { inPlay: [secret], bounds: { findings: 10 } })
  expect(found.findings[0]).toMatchObject({ path: 'zz-last', rule: 'in-play', line: 51 })
  expect([found.findings.length, found.more > 100]).toEqual([11, true])
})

test('large texts are searched only for secrets in play, and that is reported', async () => {
  using secret = Secret.fromText('MY_KEY', value)
  await using at = await place({ large: `${github}\n` })
  truncateSync(at.at('large'), 3_000_000)
  appendFileSync(at.at('large'), value)
  const found = await scanTree(at.path, { inPlay: [secret] })
  expect(texts(found)).toEqual(['large:2 (MY_KEY, which the cell had)'])
  expect(found.notLooked).toEqual([{ path: 'large', why: 'it is too large for the rules' }])
})

const unbounded = {
  inPlay: [],
  rules: new RuleThread(120_000),
  bounds: { ruleBytes: Number.MAX_SAFE_INTEGER, rulesMs: 600_000, ms: 600_000 },
}

test.each([
  ['UTF-8', (text: string) => Buffer.from(text)],
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
])('without a bound, the rules search all of a large text in %s, also where its parts meet', async (_, encoded) => {
  // Lines of 7 characters, of 9 bytes in UTF-8, so that the parts end inside characters, and tokens at both sides of each end.
  const lines = Array.from({ length: 330_000 }, (_each, index) => (index % 33_000 === 32_900 ? `x = "${github}"` : 'äbcdé'))
  await using at = await place({ large: encoded(lines.join('\n')) })
  const { findings, more, notLooked } = await scanTree(at.path, unbounded)
  expect([notLooked, more]).toEqual([[], 0])
  expect(findings.map(({ line, column }) => [line, column])).toEqual(
    Array.from({ length: 10 }, (_each, index) => [index * 33_000 + 32_901, 6]),
  )
})

test('a token that lies across the end of a part, or in two parts, is found once', async () => {
  const [part, overlap] = [256 * 1024, 32 * 1024]
  for (const end of [part - 10, part - overlap + 10, 2 * part - overlap - 10]) {
    await using at = await place({ large: `${'x'.repeat(end)} "${github}" ${'y'.repeat(2_000_000)}` })
    const { findings } = await scanTree(at.path, unbounded)
    expect(findings.map(({ line, column }) => [line, column])).toEqual([[1, end + 3]])
  }
})

test('files that there is no time for are reported', async () => {
  await using at = await place({ a: 'a', b: 'b' })
  const found = await scanTree(at.path, { inPlay: [], bounds: { ms: 0 } })
  expect(found.notLooked).toEqual([{ path: '.', why: 'there was no time left for all of it' }])
  const many = await scanTree(at.path, { inPlay: [], bounds: { entries: 1 } })
  expect(many.notLooked).toEqual([{ path: '.', why: 'it has more than 1 entries' }])
})

test('a text on which the rules take too long costs a thread, and not the others', async () => {
  await using rules = new RuleThread()
  await rules.ready()
  expect(await rules.hits('x', `${github}\n`.repeat(20_000), 1)).toBe('the rules took too long on it')
  expect(await rules.hits('x', github, 10_000)).toMatchObject([{ rule: 'github' }])
})

test('7: the place of what a rule finds is the whole value, so that nothing of it is shown', async () => {
  await using rules = new RuleThread()
  await rules.ready()
  const aws = `wJalrXUtnFEMI/K7MDENG${'/'}bPxRfiCYEXAMPLEKEX`
  for (const [before, secret, after] of [
    ['AWS_SECRET_ACCESS_KEY=', aws, '\n'],
    ['first line\naws_secret_access_key = "', aws, '"\n'],
    ['x = "', github, '"'],
  ] as const) {
    const hits = await rules.hits('x', `${before}${secret}${after}`, 10_000)
    expect(hits).toMatchObject([{ start: before.length, end: before.length + secret.length }])
  }
})

test('never rejects for the bytes of a file, and shows nothing of what was in play', async () => {
  using secret = Secret.fromText('MY_KEY', value)
  await using rules = new RuleThread()
  const magic = fc.constantFrom('', '\u001f\u008b\b', 'PK\u0003\u0004', '(\u00b5/\u00fd', '\u00ff\u00fe')
  await using at = await temporary()
  await fc.assert(
    fc.asyncProperty(
      magic,
      fc.uint8Array({ maxLength: 400 }),
      fc.boolean(),
      fc.constantFrom('', 'PK\u0005\u0006'),
      async (start, bytes, holds, end) => {
        writeFileSync(
          at.at('file'),
          Buffer.concat([Buffer.from(start, 'latin1'), bytes, Buffer.from(holds ? value : ''), Buffer.from(end, 'latin1'), bytes]),
        )
        const found = await scanTree(at.path, { inPlay: [secret], rules })
        expect(found.findings.some((each) => each.rule === 'in-play')).toBe(holds)
        expect(JSON.stringify(found)).not.toContain(value)
      },
    ),
    { numRuns: 150 },
  )
})

test('a survey counts the settings of a .env, knows files by their names, and skips templates and hidden files', async () => {
  await using at = await place({
    '.env': `DB_PASSWORD=hunter2-hunter2\nAPI_TOKEN='${github}'\nexport JWT_SECRET="very-secret-value"\nMODE=production\nPUBLIC_KEY=abcdefghijkl\nKEY=$OTHER_VALUE\nTOKEN=changeme-please\n`,
    '.env.example': 'API_TOKEN=abcdefghijklmnop\n',
    'deep/er/.netrc': 'machine host.test.com login me password aPassw0rd\n',
    'store.p12': Buffer.from([0x30, 0x82, 0, 0, 1]),
    'hidden/.env': 'API_TOKEN=abcdefghijklmnop\n',
    'node_modules/x/.env': 'API_TOKEN=abcdefghijklmnop\n',
    'src/code.ts': `const token = '${github}'\n`,
    'src/plain.ts': 'const secretKey = computeTheKey(input)\n',
  })
  const { files, isWhole } = await survey([{ root: at.path, hidden: ['hidden'] }], 20_000)
  expect(Object.fromEntries(files.map((each) => [each.path, each.secrets]))).toEqual({
    '.env': 3,
    'deep/er/.netrc': 1,
    'store.p12': 1,
    'src/code.ts': 1,
  })
  expect([isWhole, files[0]?.path]).toEqual([true, '.env'])
})
