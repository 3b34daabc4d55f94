import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rulesOfHost } from '../../src/adapters/agent-facts.ts'
import { redact } from '../../src/base/errors.ts'
import { printable } from '../../src/base/text.ts'

const whyRunsLater = (file: string): string | null => rulesOfHost.namedAt(file)?.why ?? null

describe('what runs later', () => {
  it.each([
    'package.json',
    'sub/package.json',
    'Makefile',
    '.github/workflows/ci.yml',
    'Dockerfile',
    'scripts/x.sh',
    'setup.py',
    'vite.config.ts',
    '.npmrc',
    '.cargo/config.toml',
    'x.code-workspace',
  ])('%s does', (file) => {
    expect(whyRunsLater(file)).not.toBeNull()
  })
  it.each(['src/main.ts', 'README.md', 'docs/package.json.md', 'data/makefile.txt'])('%s does not', (file) => {
    expect(whyRunsLater(file)).toBeNull()
  })
})

describe('text for a terminal', () => {
  it('has no control character, whatever it was made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(printable(text))),
    )
    expect(printable('a\u001b]0;x\u0007b')).toBe('a\\u{1b}]0;x\\u{7}b')
  })
})

describe('redaction', () => {
  it.each([
    ['https://user:hunter2@example.org/x', 'https://user:[redacted]@example.org/x'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['key sk-ant-abcdefghijklmnopqrstuv', 'key [redacted]'],
  ])('%s', (text, clean) => expect(redact(text)).toBe(clean))
})
