import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findAdapter } from '../../src/adapters/find-adapter.ts'
import { parseContest } from '../../src/contest/config/brief.ts'
import { matches, redacted, redactedPath, telltales } from '../../src/contest/judging/identity/find-identity.ts'
import { redactedPaths } from '../../src/contest/judging/identity/identity-record.ts'
import { identityWords } from '../../src/contest/judging/identity/telling-words.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { evenJudge, openBench, writeContest } from '../support/contest-bench.ts'

const config = parseContest(
  JSON.stringify({
    schemaVersion: 1,
    name: 'x',
    participants: [
      { name: 'long', agent: 'claude', model: 'claude-sonnet-9' },
      { name: 'short', agent: 'opencode', model: 'openrouter/nova.corp/wonder+1' },
    ],
    checks: [{ name: 'c', command: 'true' }],
  }),
)
const words = (...texts: string[]): RegExp | null => identityWords(config, texts, findAdapter)

describe('texts that identify a participant', () => {
  test('agents, models and vendors, as whole words, in any case; participants’ own names are words of every day', () => {
    const found = (text: string): readonly string[] => matches(text, words('Sort the lines.'))
    expect(found('By Claude, with CLAUDE-SONNET-9, from Anthropic; wonder+1 of nova.corp.')).toEqual([
      'claude',
      'claude-sonnet-9',
      'anthropic',
      'wonder+1',
      'nova.corp',
    ])
    expect(found('declaude claudette geminid a long and short command, meta')).toEqual([])
    expect(found('gpt-5 gpt_4 (gemini)')).toEqual(['gpt-5', 'gpt', 'gemini'])
  })

  test('names that the brief itself contains identify nobody', () => {
    expect(matches('claude and gemini', words('Write a client of the Gemini API.'))).toEqual(['claude'])
  })

  test('authors, trailers, and names of instruction files', () => {
    const text = '# Notes\nAuthor: Somebody\ncode\n\nCo-authored-by: X <x@y.z>\n// Generated with Some Tool\nan author of note\n'
    expect(telltales('a.txt', text, words())).toEqual([
      { path: 'a.txt', line: 2, what: 'Author: Somebody' },
      { path: 'a.txt', line: 5, what: 'Co-authored-by: X <x@y.z>' },
      { path: 'a.txt', line: 6, what: '// Generated with Some Tool' },
    ])
    expect(telltales('docs/CLAUDE.md', null, words())).toEqual([
      { path: 'docs/CLAUDE.md', line: null, what: 'a file of instructions for an agent' },
    ])
    expect(telltales('gemini-notes.txt', null, words())).toEqual([{ path: 'gemini-notes.txt', line: null, what: 'gemini' }])
  })

  test('a text of nothing but spaces or authors is read to its end', () => {
    const spaces = `author${' '.repeat(200_000)}\n`
    expect(telltales('a.txt', spaces, words())).toEqual([])
    expect(redacted(spaces, words())).toBe(spaces)
    const found = telltales('a.txt', 'claude\n'.repeat(150_000), words())
    expect([found.length, found.at(-1)]).toEqual([1000, { path: 'a.txt', line: 1000, what: 'claude' }])
  })

  test('is cut out of texts and paths, and no two paths become one', () => {
    expect(redacted('I am Claude.\nSigned-off-by: me\nx\n', words())).toBe('I am [redacted].\n[redacted]\nx\n')
    expect(redactedPath('claude/AGENTS.md', words())).toBe('redacted/instructions')
    expect([...redactedPaths(['claude.js', 'gemini.js', 'redacted.js', 'other.js'], words())]).toEqual([
      ['claude.js', 'redacted.js-2'],
      ['gemini.js', 'redacted.js-3'],
    ])
    // A file whose redacted name is a directory in other paths, and the other way round.
    const odd = ['claude', 'gemini/a', 'gpt/b', 'redacted-2/c', 'codex/x', 'plain']
    const named = odd.map((each) => redactedPaths(odd, words()).get(each) ?? each)
    expect(named).toEqual(['redacted-3', 'redacted/a', 'redacted/b', 'redacted-2/c', 'redacted/x', 'plain'])
    expect(redactedPaths(['redacted', 'claude/x', 'claude/y'], words())).toEqual(
      new Map([
        ['claude/x', 'redacted-2'],
        ['claude/y', 'redacted-3'],
      ]),
    )
  })
})

describe('judging.identity', () => {
  const signed = 'mkdir sub; echo "made by claude" > sub/answer.txt; echo rules > CLAUDE.md; echo plain > plain.txt'
  const look = `cd /contest/submissions; (find . | sort; grep -r . A) > /contest/outbox/review.md; ${evenJudge(3)}`

  async function judged(identity?: string) {
    await using bench = await openBench()
    await writeContest(bench, { one: signed }, { j: look }, identity === undefined ? {} : { judging: { identity } })
    const { summary } = await runContest(bench.contest, bench.deps)
    const seen = readFileSync(path.join(bench.contest, 'judging/1/j/tasks/1/review.md'), 'utf8')
    return { summary, seen, mode: statSync(path.join(bench.contest, 'judging/1/identity.json')).mode & 0o777 }
  }
  const found = [
    { path: 'CLAUDE.md', line: null, what: 'a file of instructions for an agent' },
    { path: 'sub/answer.txt', line: 1, what: 'claude' },
  ]

  test('flag by default: judges see it, and the report says so', async () => {
    const { summary, seen, mode } = await judged()
    expect(mode).toBe(0o600)
    expect(seen).toContain('made by claude')
    expect(summary.ranking[0]?.identity).toEqual({ found, more: 0, isHidden: false })
    expect(summary.notes).toContain(
      'Judges could identify the author of the submission of one: CLAUDE.md (a file of instructions for an agent), sub/answer.txt:1 (claude). To hide that: judging.identity: redact',
    )
    // The judge named the agent that it recognized.
    expect(summary.judges[0]?.card?.guesses).toEqual({ texts: 1, words: ['claude'] })
  })

  test('redact: judges see nothing of it', async () => {
    const { summary, seen } = await judged('redact')
    expect(seen).not.toMatch(/claude/i)
    expect(seen).toContain('made by [redacted]')
    expect(seen).toContain('./A/instructions')
    expect(summary.ranking[0]?.identity).toEqual({ found, more: 0, isHidden: true })
    expect(summary.notes.join()).not.toContain('could tell')
    expect(summary.judges[0]?.card?.guesses).toBeNull()
  })

  test('ignore: no search', async () => {
    const { summary, seen } = await judged('ignore')
    expect(seen).toContain('made by claude')
    expect(summary.ranking[0]?.identity).toBeNull()
  })
})
