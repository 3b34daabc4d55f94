import fc from 'fast-check'
import { expect, test } from 'vitest'
import { block, code, cut, cutFile, longestMessage } from '../../../src/fleet/discord/discord-markdown.ts'
import { isShownWhole, questionPost } from '../../../src/fleet/discord/question-post.ts'
import { refusalPost, statusPost } from '../../../src/fleet/discord/reply-posts.ts'
import { resultPost } from '../../../src/fleet/discord/result-post.ts'
import type { Job } from '../../../src/fleet/store/job-records.ts'

const text = fc.string({ unit: fc.constantFrom('`', '`', '\n', '<@1>', '*', '[a](b)', '@everyone', 'x', '\u200b', '\ud83d\ude00', '\\') })

test('no text ends the block that it is in', () => {
  fc.assert(
    fc.property(text, (each) => {
      const lines = block(each)
      expect(lines.startsWith('```\n') && lines.endsWith('\n```')).toBe(true)
      const inside = lines.slice(4, -4)
      expect(inside).not.toContain('``')
      expect(inside.endsWith('`')).toBe(false)
      expect(inside.replaceAll('`\u200b', '`').replaceAll('\u200b', '')).toBe(each.replaceAll('\u200b', ''))
    }),
  )
})

test('no text ends the piece of a line that it is in', () => {
  fc.assert(
    fc.property(text, (each) => {
      expect(code(each)).toMatch(/^`[^`\n]+`$/)
    }),
  )
})

test('every post fits into a message, whatever is in it', () => {
  const long = fc.string({ unit: fc.constantFrom('`', '\u202e', 'ab', '\n', '\ud83d\ude00'), maxLength: 6_000 })
  fc.assert(
    fc.property(long, (each) => {
      const posts = [
        questionPost({ id: 'j-0123456789abcdefghjk-1', kind: 'tool', job: 'j-0123456789abcdefghjk', text: each }, 'agent'),
        resultPost(ended({ text: each, outcome: { ...outcome, message: each }, changes: { ...changes, created: [each] } }), 'agent')
          .content,
        refusalPost(each),
        statusPost('agent', { state: 'idle', problem: each }, [], []),
      ]
      for (const post of posts) expect(post.length).toBeLessThanOrEqual(longestMessage)
    }),
  )
})

test('a result tells its cost, its changes and why it failed; secrets are cut out', () => {
  const created = Array.from({ length: 12 }, (_, index) => `src/${index}.ts`)
  const key = `sk-ant-api03-${'a1'.repeat(20)}`
  const { content, file } = resultPost(
    ended({ text: `The key is ${key}`, costUsd: 0.125, changes: { ...changes, created, modified: ['a`b'] }, copy: 'c1' }),
    'writer',
  )
  expect(file).toBeNull()
  expect(content).toContain('`writer`: **done**, job `j-1` · $0.13 · 13 files changed')
  expect(content).toContain('`+ src/9.ts` and 3 more')
  expect(content).toContain('paddock job review j-1')
  expect(content).toContain('The key is [redacted]')
  expect(content).not.toContain(key)
  const failed = resultPost({ ...ended({ text: '' }), state: 'failed', problem: 'It was\nlost.' }, 'writer')
  expect(failed.content).toBe('`writer`: **failed**, job `j-1`\n`It was\\u{a}lost.`')
})

test.each(['tool', 'egress'] as const)('an action (%s) that does not fit is shown in part, and its post offers only to deny it', (kind) => {
  const question = { id: 'j-1-1', kind, job: 'j-1', text: 'x'.repeat(5_000) }
  expect(isShownWhole(question, 'agent')).toBe(false)
  expect(questionPost(question, 'agent')).toMatch(
    /\nThis is only its beginning, so you can only `deny` it here\. See all of it before you allow it there: in the inbox of the web page, or `paddock inbox`$/,
  )
})

test('a question is shown whole exactly if its post contains all of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.constantFrom('ask', 'tool', 'egress'), (length, kind) => {
      const question = { id: 'j-1-1', kind, job: 'j-1', text: `${'x'.repeat(length)}.` } as const
      expect(questionPost(question, 'agent').includes(question.text)).toBe(isShownWhole(question, 'agent'))
    }),
  )
})

test('a cut text ends with a whole character and a note', () => {
  expect(cut('\ud83d\ude00\ud83d\ude00', 3)).toBe('\ud83d\ude00…')
  const file = cutFile('\u00e4'.repeat(100), 150)
  expect(Buffer.byteLength(file)).toBeLessThanOrEqual(150)
  expect(file).toMatch(/^\u00e4+\n\[Cut: the whole text has 200 bytes\.\]\n$/)
})

const outcome = { kind: 'ran', exitCode: 0, message: null, hint: null, resetsAt: null } as const
const changes = { created: [], modified: [], deleted: [], renamed: [], runsLater: [], git: [], truncated: false }
function ended(more: Partial<NonNullable<Job['result']>>): Pick<Job, 'id' | 'state' | 'result' | 'problem'> {
  const times = { startedAt: '2026-03-01T10:00:00.000Z', endedAt: '2026-03-01T10:00:01.000Z' }
  const rest = {
    usage: null,
    costUsd: null,
    toolCalls: 0,
    turns: 0,
    cellMs: 0,
    conversation: null,
    changes: null,
    copy: null,
    worktree: null,
    notes: [],
  }
  const result = { schemaVersion: 1 as const, job: 'j-1', state: 'done' as const, outcome, text: 'done', ...times, ...rest, ...more }
  return { id: 'j-1', state: 'done', result, problem: null }
}
