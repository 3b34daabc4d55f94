import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitConfigText, readGitConfig } from '../../src/git/config-syntax.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync('/tmp/paddock-git-config-')
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Returns what this machine's git reads from a configuration. */
function byGit(text: string | Buffer): { readonly entries: GitConfigText['entries']; readonly badLine: number | null } {
  const file = path.join(directory, 'config')
  writeFileSync(file, text)
  const { stdout, stderr, status } = spawnSync('git', ['config', '--file', file, '--list', '-z'], {
    cwd: directory,
    env: { PATH: '/usr/bin:/bin', HOME: directory, LC_ALL: 'C' },
  })
  const all = stdout.toString('utf8').split('\0').slice(0, -1)
  const entries = all.map((each) => {
    const [, key = '', value] = /^([^\n]*)(?:\n([\s\S]*))?$/.exec(each) ?? []
    return { key, value: value ?? null }
  })
  const line = /bad config line (\d+)/.exec(stderr.toString())?.[1]
  return { entries, badLine: status === 0 ? null : Number(line) }
}

/** Returns true for Git before 2.45, which replaced each blank inside a value by a space. */
const oldBlanks = (): boolean => byGit('[a]\n\tb = c\td\n').entries[0]?.value === 'c d'
let old = false
beforeAll(() => {
  old = oldBlanks()
})
const comparable = (entries: GitConfigText['entries']): GitConfigText['entries'] =>
  old ? entries.map(({ key, value }) => ({ key, value: value?.replace(/[\t\r]/g, ' ') ?? null })) : entries

function asGit(text: string): void {
  const [mine, its] = [readGitConfig(text), byGit(text)]
  // Whether git lists entries before a bad line depends on its buffer. If a header is cut off at the end, git counts one line too many.
  if (its.badLine !== null) expect([text, [its.badLine, its.badLine - 1].includes(mine.badLine ?? -1)]).toEqual([text, true])
  else expect([text, comparable(mine.entries), mine.badLine]).toEqual([text, comparable(its.entries), null])
}

describe('a configuration is read as git reads it', () => {
  test.each([
    '[core]\n\thooksPath = .githooks # ours\n\tx = a ; b\n',
    '[core]\nhooksPath = ."githooks"\n[CORE]\nHOOKSPATH=".githooks" # ours',
    '[core]\n\thooksPath = .git\\\nhooks\n\ta = "b # c" ; d\n\te = f\\tg\\nh\\bi\\"j\\\\k\n',
    '\ufeff[core]\r\n\thooksPath = x\r\n\ty = z\\\r\n  more\r\n',
    '[includeIf "gitdir:~/x/\\"y\\\\z/"] path = ~/extra.inc\n',
    '[a.B "C d"]\n\te\n\tf =\n\tg = ""\n\th-i = " j "k " "\n',
    '[a.b]\nc=d\n[a.]\ne=f\n[.]\ng=h\n[]\ni=j\n',
    'before = any section\n',
    '[a] b = c [d] e = f\n',
    '[a]\nb = c\rd\n\r\ne = \x0b f \x0c\n',
    '[a]\n\tb # no comment here\n',
    '[a]\n\tb = "c\n',
    '[a]\n\tb = \\x\n',
    '[a]\n\tb = c\\',
    '[a "b"c]\nd = e\n',
    '[a "b]\nd = e\n',
    '[a b]\nd = e\n',
    '[a\nb = c\n',
    '[a',
    '1a = b\n',
    '[a]\n1b = c\n',
    '[a]\n_b = c\n',
    '[a_b]\n',
    '[ä]\nb = c\n',
    '[a "ä"]\nb = ö # ü\n',
    '\ufeff\ufeff[a]\nb = c\n',
    '[a]\nb = c\\\n\\\nd = e\n',
    '[a]\nb = c \\\n # d\ne = f',
    '[a] ; b\n# c\n\t; d\n',
    '[a]b=c',
    '[a]\nb = \\\n',
    '',
  ])('%j', asGit)

  test('any character in it', () => {
    const piece = fc.constantFrom(
      ...[
        '[',
        ']',
        '"',
        '\\',
        '\n',
        '\r\n',
        '\r',
        '=',
        ' ',
        '\t',
        '#',
        ';',
        '.',
        '-',
        'a',
        'B',
        '1',
        'ä',
        '\x0b',
        '\ufeff',
        '[a "b"]\n',
        '[c]\n',
      ],
      ...['d = ', '\te = "', '\\\n', '\\n', '\\"', '\\\\', '\\t', '\\b', '\\x'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.boolean(), (pieces, inSection) =>
        asGit(`${inSection ? '[s]\n' : ''}${pieces.join('')}`),
      ),
      { numRuns: 400 },
    )
  })

  test('output of git config is read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab ~/.\\"#;=\t\n[]ä'), maxLength: 20 }), (value) => {
        const file = path.join(directory, 'written')
        rmSync(file, { force: true })
        spawnSync('git', ['config', '--file', file, 'core.hooksPath', value], { env: { PATH: '/usr/bin:/bin', HOME: directory } })
        const { stdout } = spawnSync('cat', [file])
        expect(readGitConfig(stdout.toString())).toMatchObject({ entries: [{ key: 'core.hookspath', value }], badLine: null })
      }),
      { numRuns: 60 },
    )
  })
})

test('lines after one that git refuses are read, too', () => {
  const { entries, badLine } = readGitConfig('[core\n\thooksPath = one\n[core] x : y\n\thooksPath = "two\n[core]\n\thooksPath = th\\ree\n')
  expect(entries.map((each) => each.value)).toEqual(['one', 'two', 'three'])
  expect(badLine).toBe(1)
})

test('a name or a value ends at a NUL, as in git', () => {
  expect(readGitConfig('[core]\n\thooksPath = a\0b\n').entries).toEqual(byGit('[core]\n\thooksPath = a\0b\n').entries.slice(0, 1))
})
