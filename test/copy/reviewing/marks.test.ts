import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesOfHost } from '../../../src/adapters/agent-facts.ts'
import { linkEnd } from '../../../src/copy/reviewing/link-end.ts'
import { marksOf } from '../../../src/copy/reviewing/marks.ts'
import { nobody } from '../../../src/git/git-settings.ts'
import { lab, scanned } from '../lab.ts'

describe('a link', () => {
  test.each([
    ['gg/hooks', '.git'],
    ['./gg/../gg/config', '.git'],
    ['up/elsewhere', 'out of the project'],
    ['tools', '.vscode'],
    ['deep/again/tasks.json', '.vscode'],
    ['Makefile', 'make runs it'],
    ['/etc/passwd', 'out of the project'],
    ['../x', 'out of the project'],
    ['round/and/round', 'out of the project'],
  ])('to %s is marked by where it ends', async (target, why) => {
    await using at = await lab()
    mkdirSync(`${at.project}/.git`)
    mkdirSync(`${at.project}/deep`)
    for (const [from, to] of [
      ['gg', '.git'],
      ['up', '..'],
      ['tools', '.vscode'],
      ['deep/again', '../tools'],
      ['round', 'round'],
    ] as const)
      symlinkSync(to, `${at.project}/${from}`)
    expect(marksOf(at.project, nobody, rulesOfHost).link('hk', target)).toContain(why)
    expect(marksOf(at.project, nobody, rulesOfHost).link('hk', 'src/../README')).toBeNull()
    // The copy's replacement of a project's link may not be applied.
    expect(marksOf(at.project, nobody, rulesOfHost).link('hk', target, (file) => (file === 'gg' ? 'src' : null))).toContain(why)
  })

  test('of the copy is followed through other links of the copy', async () => {
    await using at = await lab()
    writeFileSync(`${at.project}/README`, '')
    const copy = await at.copy()
    symlinkSync('.vscode', `${copy.place.tree}/a`)
    symlinkSync('a/tasks.json', `${copy.place.tree}/b`)
    const { scan } = await scanned(copy)
    expect(scan.changes.map((each) => [each.path, each.runsLater !== null])).toEqual([
      ['a', true],
      ['b', true],
    ])
  })

  test('ends in the project or nowhere, whatever it says', () => {
    const name = fc.constantFrom('a', 'b', '..', '.', '', 'c')
    const target = fc.array(name, { maxLength: 8 }).map((each) => each.join('/'))
    fc.assert(
      fc.property(target, fc.dictionary(fc.constantFrom('a', 'b', 'a/b', 'c', 'b/c'), target), (to, links) => {
        const end = linkEnd('a/x', to, (file) => (Object.hasOwn(links, file) ? (links[file] ?? null) : null))
        expect(end === null || !/(^|\/)\.\.?(\/|$)|^\/|\/\//.test(end)).toBe(true)
      }),
    )
  })
})

test.each(['.vscode/tasks.json', '.envrc', 'sub/.mcp.json', 'Makefile', 'CLAUDE.md', '.git/config'])(
  'a text that looks like %s is marked',
  async (name) => {
    await using at = await lab()
    const marks = marksOf(at.project, nobody, rulesOfHost)
    const wide = name.replace(/[a-z]/i, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0))
    for (const each of [name.replace(/[a-z]/i, '$&\u200b'), name.replace(/[a-z]/i, '$&\u3164'), name.toUpperCase(), wide])
      expect([each, marks.path(each)]).toEqual([each, expect.any(String)])
    expect(marks.path(`x${name.replaceAll(/\W/g, '')}x`)).toBeNull()
  },
)

test('programs that the configuration of git names are marked', async () => {
  await using at = await lab()
  mkdirSync(`${at.project}/.git`)
  writeFileSync(
    `${at.project}/.git/config`,
    [
      '[core]\n\tfsmonitor = tools/watch --fast\n\thooksPath = "my hooks"\n\tsshCommand = sh \\\n tools/ssh # why',
      '[gpg "ssh"]\n\tprogram = ./sign',
      '[filter "x.y"] clean = "node tools/clean.js %f"',
      `[diff "d"]\n\ttextconv = ${at.project}/tools/text`,
      '[merge "m"]\n\tdriver = "sh -c \\"tools/merge %A\\""',
      '[alias]\n\tl = !tools/lint src\n\tplain = log tools/plain',
      '[include]\n\tpath = ../shared.gitconfig',
    ].join('\n'),
  )
  writeFileSync(`${at.project}/shared.gitconfig`, '[core]\n\tpager = tools/page')
  const { path } = marksOf(at.project, nobody, rulesOfHost)
  const named = ['watch', 'ssh', 'clean.js', 'text', 'merge', 'lint', 'page'].map((each) => `tools/${each}`)
  for (const each of [...named, 'sign', 'my hooks/pre-push', 'shared.gitconfig'])
    expect([each, path(each)]).toEqual([each, expect.any(String)])
  for (const each of ['tools/plain', 'tools/other', 'src/a', 'clean.js']) expect([each, path(each)]).toEqual([each, null])
})
