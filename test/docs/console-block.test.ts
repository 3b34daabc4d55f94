import { describe, expect, it } from 'vitest'
import { consoleBlocks } from './console-block.ts'
import { commandsOf } from './console-command.ts'
import { printsAsPromised } from './promised-output.ts'

const page = (...lines: string[]) => consoleBlocks(lines.join('\n'))

describe('10: the blocks of a page', () => {
  it('are those that show commands, with the comments before them', () => {
    const { blocks, problems } = page(
      '<!-- not run: it needs a login -->',
      ...['```console', '$ paddock run claude', '```', ''],
      ...['<!-- fresh stage -->', '<!-- setup: agents -->', '```sh', 'npm test', '```', ''],
      ...['```', '$ paddock doctor', '```', '', '```', 'paddock vault [syntax]', '```'],
      ...['', '```yaml', 'a: 1', '```', '', '```', 'paddock: only output', '```'],
    )
    expect(problems).toEqual([])
    expect(blocks.map(({ form, notRun, setups, fresh }) => [form, notRun, setups, fresh])).toEqual([
      ['console', 'it needs a login', [], false],
      ['sh', null, ['agents'], true],
      ['console', null, [], false],
      ['sh', null, [], false],
    ])
  })

  it.each([
    ['a reason that is empty', ['<!-- not run: -->', '```sh', 'true', '```'], /^line 1: write/],
    ['a reason of blanks', ['<!-- not run:   -->', '```sh', 'true', '```'], /^line 1: write/],
    ['a setup for what another test runs', ['<!-- setup: a -->', '<!-- run by: b -->', '```sh', 'true', '```'], /^line 3: .*no setup/],
    ['no name of a test', ['<!-- run by: -->', '```sh', 'true', '```'], /^line 1: write/],
    ['no reason', ['<!-- not run -->', '```sh', 'true', '```'], /^line 1: write/],
    ['a comment without a block', ['<!-- not run: it is slow -->', '', '```sh', 'true', '```'], /^line 1: no console block/],
    ['a comment before another block', ['<!-- not run: it is slow -->', '```yaml', 'a: 1', '```'], /^line 1: no console block/],
    ['a comment at the end', ['<!-- setup: agents -->'], /^line 1: no console block/],
    ['a setup for what is not run', ['<!-- setup: a -->', '<!-- not run: b -->', '```sh', 'true', '```'], /^line 3: .*no setup/],
    ['a command in an indented block', ['Text:', '', '    paddock doctor'], /^line 3: put this command/],
  ])('are refused with %s', (_, lines, problem) => {
    const { blocks, problems } = page(...lines)
    expect(problems).toEqual([expect.stringMatching(problem)])
    if (lines[0]?.startsWith('<!-- not run') === true) expect(blocks.filter((each) => each.notRun === null && each.line === 2)).toEqual([])
  })
})

describe('10: the commands of a block', () => {
  const of = (form: 'console' | 'sh', ...lines: string[]) =>
    commandsOf({ line: 1, form, lines, notRun: null, runBy: null, setups: [], fresh: false }).map(({ text, promised }) => [
      text,
      ...promised,
    ])

  it('go on over line ends that are quoted or escaped, and their output follows', () => {
    expect(of('console', "$ sh -c '", "  true'", 'printed', '', '$ a \\', '  b', "$ c # it's a comment", 'd')).toEqual([
      ["sh -c '\n  true'", 'printed', ''],
      ['a \\\n  b'],
      ["c # it's a comment", 'd'],
    ])
  })

  it('are all lines of a block of sh that are not comments', () => {
    expect(of('sh', '# first', 'a "b', 'c"', '', 'd')).toEqual([['a "b\nc"'], ['d']])
  })
})

describe('10: an output is as promised', () => {
  it('if it differs in durations, ids, dates, hashes and wording of curl', () => {
    expect(
      printsAsPromised(
        ['done after 3 min 10 s · 2 files', 'copy 579a03b2', 'on 2026-01-02', '(sha256 9f3c…)', 'curl: (6) Could not resolve'],
        ['done after 87 ms · 2 files', 'copy ff858efe', 'on 2027-11-22T01:02:03Z', '(sha256 00ff…)', 'curl: (6) No such host', ''],
      ),
    ).toBe(true)
  })

  it('if … is in place of lines, or of a part of one', () => {
    expect(printsAsPromised(['…', 'b', '...'], ['a', 'a', 'b', 'c'])).toBe(true)
    expect(printsAsPromised(['a', '…'], ['a'])).toBe(true)
    expect(printsAsPromised(['allowlist (a, …) · sees'], ['allowlist (a, b, c) · sees'])).toBe(true)
  })

  it('whether or not the names of an example resolve on this machine', () => {
    const line = 'paddock: the name api.corp.test does not resolve on this machine, so the cell cannot reach it'
    expect(printsAsPromised(['a', 'b'], ['a', line, 'b', line])).toBe(true)
    expect(printsAsPromised(['a'], ['a', `${line} (why)`])).toBe(false)
  })

  it.each([
    ['another number', ['2 files added'], ['3 files added']],
    ['another place', ['sees /home/user/project'], ['sees /home/user']],
    ['a line less', ['a', 'b'], ['a']],
    ['a line more', ['a'], ['a', 'b']],
    ['another order', ['a', 'b'], ['b', 'a']],
    ['another unit', ['limit 1 GiB'], ['limit 1 MiB']],
    ['another error of curl', ['curl: (6) x'], ['curl: (7) x']],
    ['lines before, where … is only behind', ['b', '…'], ['a', 'b']],
    ['a dot for any character', ['a.example'], ['axexample']],
    ['nothing', ['a'], []],
  ])('not with %s', (_, promised, printed) => {
    expect(printsAsPromised(promised, printed)).toBe(false)
  })
})
