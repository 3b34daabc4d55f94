import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAdapter } from '../../src/adapters/find-adapter.ts'
import { lastSession, type SessionNotes } from '../../src/adapters/last-session.ts'
import { resumeLines } from '../../src/cli/run/resume-line.ts'
import { plainSpec } from '../support/real-cell.ts'

const [one, two] = ['0891f3f3-7949-43a8-b2a7-21e6fc39c25e', 'fa3ce6cc-064d-4c40-9cf0-4bc17490dd56']
const started = 1_000_000_000_000

let home: string
beforeEach(() => {
  home = mkdtempSync('/tmp/paddock-session-')
})
afterEach(() => rmSync(home, { recursive: true }))

function put(file: string, content: string, seconds: number): void {
  mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
  writeFileSync(path.join(home, file), content)
  utimesSync(path.join(home, file), started / 1000 + seconds, started / 1000 + seconds)
}

const of = (agent: string): readonly string[] | null => lastSession(findAdapter(agent).sessions as SessionNotes, home, started)

test.each([
  ['claude', [['.claude/projects/-tmp-p/ID.jsonl', '{}']], ['--resume', one]],
  ['codex', [['.codex/sessions/2026/11/22/rollout-2026-11-22T19-30-39-ID.jsonl', '{}']], ['resume', one]],
  [
    'gemini',
    [['.gemini/tmp/p/chats/session-2026-11-22T19-30-ID.jsonl', '{"sessionId":"ID","kind":"main"}\n{"sessionId":"x"}']],
    ['--resume', one],
  ],
  [
    'opencode',
    [
      [
        '.local/share/opencode/log/opencode.log',
        'a message=loop session.id=ses_old1 step=0\na message=loop session.id=ses_dfb44a89 step=1\n',
      ],
    ],
    ['--session', 'ses_dfb44a89'],
  ],
] as const)('7: the session that %s wrote last is found in the private home', (agent, files, args) => {
  expect(of(agent)).toBe(null)
  for (const [file, content] of files) {
    put(file.replace('ID', two), content.replace('ID', two), -1)
    if (agent !== 'opencode') expect(of(agent)).toBe(null)
    put(file.replace('ID', one), content.replace('ID', one), 5)
  }
  expect(of(agent)).toEqual(args)
})

test.each([
  ['a name that is not an id', '.claude/projects/p/$(touch ran).jsonl'],
  ['an id that is an option', `.claude/projects/p/-d${one.slice(2)}.jsonl`],
  ['a file elsewhere', `.claude/projects/p/deeper/${one}.jsonl`],
])('7: a file that a cell wrote in the place of a session is not shown: %s', (_, file) => {
  put(file, '{}', 5)
  expect(of('claude')).toBe(null)
})

test('7: no link of a cell is followed to look for sessions', () => {
  put(`elsewhere/p/${one}.jsonl`, '{}', 5)
  mkdirSync(path.join(home, '.claude'))
  symlinkSync(path.join(home, 'elsewhere'), path.join(home, '.claude/projects'))
  expect(of('claude')).toBe(null)
})

test('7: the last line of a run in a terminal is the command that goes on in a cell, for a shell', () => {
  put(`.claude/projects/p/${one}.jsonl`, '{}', 5)
  const spec = plainSpec('/p', ['claude'], { home: { kind: 'persistent', path: home } })
  const lines = (options: readonly string[], of = spec): readonly string[] =>
    resumeLines(findAdapter('claude'), of, new Date(started).toISOString(), options)
  expect(lines([])).toEqual([`continue with: paddock run claude --resume ${one}`])
  expect(lines(['--rule', 'deny POST *', '--secret=KEY=vault:k', '--copy', '--env', 'PATH'])).toEqual([
    `continue with: paddock run --rule 'deny POST *' --secret=KEY=vault:k --copy --env PATH claude --resume ${one}`,
  ])
  expect(lines([], plainSpec('/p', ['claude']))).toEqual([])
})

test('7: the command that goes on names variables and does not show their values', () => {
  put(`.claude/projects/p/${one}.jsonl`, '{}', 5)
  const spec = plainSpec('/p', ['claude'], { home: { kind: 'persistent', path: home } })
  const options = ['--env', 'ONE=hid\nden=1', '--env=TWO=hidden', '--base-url', 'https://me:hidden@model.example/']
  expect(resumeLines(findAdapter('claude'), spec, new Date(started).toISOString(), options)).toEqual([
    `continue with: paddock run --env ONE --env=TWO --base-url 'https://me:[redacted]@model.example/' claude --resume ${one} ` +
      '(first export ONE and TWO with the same value as in this run)',
  ])
})
