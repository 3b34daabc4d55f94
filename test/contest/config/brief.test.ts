import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import { parseDuration, parseSize } from '../../../src/base/quantities.ts'
import { parseContest, readContest } from '../../../src/contest/config/brief.ts'
import { contestJsonSchema } from '../../../src/contest/config/contest-schema.ts'
import { copyContest, newContest } from '../../../src/contest/config/new-contest.ts'
import { contestTemplate } from '../../../src/contest/config/templates.ts'
import { temporary } from '../../support/temporary.ts'

const good = `schemaVersion: 1
name: trial
participants:
  - name: alpha
    agent: command
    command: [true]
judges:
  - name: judge
    agent: command
    command: ["true"]
rubric:
  dimensions:
    - id: quality
      description: How good it is.
`.replace('[true]', '["true"]')

function problem(text: string): string {
  try {
    parseContest(text)
  } catch (error) {
    if (error instanceof PaddockError && error.code === 'BAD_INPUT') return error.message
    throw error
  }
  return 'ok'
}

test('a small contest is good, with defaults', () => {
  expect(parseContest(good)).toMatchObject({ rubric: { scale: { min: 0, max: 10 } }, judging: { policy: 'distinct-family' }, checks: [] })
})

test('files that `contest new` writes are valid, and are for the user to change', () => {
  expect(problem(contestTemplate('trial'))).toBe('ok')
})

describe('each of these names its place, its key and the fix', () => {
  const replaced = (from: string, to: string): string => good.replace(from, to)
  test.each([
    [
      'an unknown key',
      replaced('    agent: command\n    command: ["true"]\njudges', '    agent: command\n    comand: ["true"]\njudges'),
      'line 6, column 5: participants[0].comand is not a key of a contest; did you mean command?',
    ],
    ['an unknown key at the top', `${good}judge: []\n`, 'judge is not a key of a contest; did you mean judges?'],
    ['an unknown key that is near nothing', `${good}zzzzzzzzzz: 1\n`, 'known are schemaVersion, name'],
    [
      'an unknown agent',
      replaced('agent: command', 'agent: cluade'),
      'line 5, column 5: participants[0].agent cannot be used: There is no agent "cluade". Did you mean claude?',
    ],
    [
      'a name that leaves its directory',
      replaced('name: alpha', 'name: ../alpha'),
      'line 4, column 5: participants[0].name must be lower-case letters',
    ],
    [
      'a name twice',
      good.replace('judges:', '  - { name: alpha, agent: command, command: [x] }\njudges:'),
      'participants[1].name is used twice: alpha',
    ],
    ['no participants', 'schemaVersion: 1\nname: x\nparticipants: []\n', 'participants needs at least one participant'],
    ['a missing key', good.replace('schemaVersion: 1\n', ''), 'schemaVersion is missing'],
    ['another version', replaced('schemaVersion: 1', 'schemaVersion: 2'), 'schemaVersion must be 1'],
    [
      'a number for a duration',
      `${good}timeouts: { participant: 30 }\n`,
      'timeouts.participant must be a number and a unit, such as 500ms',
    ],
    ['an unknown unit', `${good}timeouts: { participant: 30min }\n`, 'timeouts.participant must be a number and a unit'],
    ['an unknown policy', `${good}judging: { policy: distinct }\n`, 'judging.policy must be one of distinct-family, warn, allow-self'],
    [
      'a command for an agent that has one',
      replaced('agent: command', 'agent: claude'),
      'participants[0].command belongs to the agents command and acp only',
    ],
    ['the agent command without one', replaced('    command: ["true"]\njudges', 'judges'), 'participants[0].command is missing'],
    ['a scale upside down', replaced('rubric:', 'rubric:\n  scale: { min: 5, max: 1 }'), 'rubric.scale.max must be more than min (5)'],
    ['judges without a rubric', good.slice(0, good.indexOf('rubric:')), 'rubric is missing'],
    [
      'an invalid host',
      replaced('    agent: command', '    egress: { policy: allowlist, allow: ["*.com"] }\n    agent: command'),
      'participants[0].egress.allow[0] is not a host: ',
    ],
    [
      'hosts with egress off',
      replaced('    agent: command', '    egress: { policy: off, allow: ["example.com"] }\n    agent: command'),
      'participants[0].egress.policy is off',
    ],
    [
      'questions under public',
      replaced('    agent: command', '    egress: { policy: public, ask: ["example.com"] }\n    agent: command'),
      'participants[0].egress.policy is public, so single hosts have no effect',
    ],
    [
      'rules without a network',
      replaced('    agent: command', '    egress: { policy: off, rules: ["deny * example.com/**"] }\n    agent: command'),
      'participants[0].egress.policy is off, so there are no requests to judge',
    ],
    [
      'a rule with an unknown action',
      replaced('    agent: command', '    egress: { policy: allowlist, rules: ["forbid * example.com/**"] }\n    agent: command'),
      'participants[0].egress.rules[0] is not a rule: "forbid" is not an action',
    ],
    [
      'ranges without the internet',
      replaced('    agent: command', '    egress: { policy: allowlist, block: ["203.0.113.0/24"] }\n    agent: command'),
      'participants[0].egress.block has no effect with allowlist; it is for public',
    ],
    ['an output outside', `${good}outputs: { required: ["../x"] }\n`, 'outputs.required[0] must stay inside'],
    ['broken YAML', 'name: [', 'contest.yaml, line 1, column'],
    ['a key twice', `${good}name: other\n`, 'Map keys must be unique'],
    ['a tag', 'name: !!js/function x', 'contest.yaml, line 1'],
    ['no mapping at all', 'just text', 'must be a group of keys, not text'],
    ['nothing', '', 'contest.yaml'],
  ])('%s', (_name, text, expected) => {
    expect(problem(text)).toContain(expected)
  })

  test('several at once', () => {
    const text = good.replace('alpha', 'Alpha').replace('description', 'descripton')
    expect(problem(text)).toMatch(
      /^contest.yaml has 3 problems:\n {2}line 4, .*\n {2}line 13, .*description is missing.*\n {2}line 14, .*did you mean description\?$/,
    )
  })

  test('aliases without end', () => {
    const bomb = `a: &a [x]\n${Array.from({ length: 9 }, (_, index) => `b${index}: &b${index} [${Array.from({ length: 9 }, () => (index === 0 ? '*a' : `*b${index - 1}`)).join(', ')}]`).join('\n')}\n`
    expect(problem(bomb)).toBe('contest.yaml, line 1, column 1: has aliases (*) that come to too much')
  })
})

describe('families', () => {
  const kin = good
    .replace('agent: command\n    command: ["true"]\njudges', 'agent: claude\njudges')
    .replace('agent: command\n    command: ["true"]\nrubric', 'agent: command\n    command: [x]\n    family: anthropic\nrubric')
  test('a participant that only its own family could judge is refused, with its name', () => {
    expect(problem(kin)).toContain('has no judge: alpha and every judge are of the family anthropic')
    expect(problem(kin)).toContain('set judging.policy to warn or allow-self')
  })
  test.each(['warn', 'allow-self'])('unless the policy is %s', (policy) => {
    expect(problem(`${kin}judging: { policy: ${policy} }\n`)).toBe('ok')
  })
})

test('nothing that a file may hold is more than BAD_INPUT', () => {
  const words = fc.constantFrom(
    'schemaVersion',
    'name',
    'participants',
    'judges',
    ':',
    ' ',
    '\n',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '&a',
    '*a',
    '1',
    'x',
    '"',
    '<<',
    '? ',
    '__proto__',
    'constructor',
    '\t',
    '|',
    '#',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words, { maxLength: 40 }).map((each) => each.join('')),
      ),
      (text) => {
        expect(typeof problem(text)).toBe('string')
      },
    ),
    { numRuns: 500 },
  )
})

test('durations and sizes are strict', () => {
  expect(['500ms', '90s', '1.5h', '30m', '1d'].map(parseDuration)).toEqual([500, 90_000, 5_400_000, 1_800_000, 86_400_000])
  expect(['1B', '2KiB', '1.5GiB', '1MB'].map(parseSize)).toEqual([1, 2048, 1_610_612_736, 1_000_000])
  for (const text of ['', '0s', '-1s', '1', 's', '1 s', '1S', '1e3s', '99999999999999d', '1s2', '0x1s', '.5s', 'NaNs', '1constructor'])
    expect(parseDuration(text)).toBeNull()
})

describe('the directory', () => {
  test('without contest.yaml, BRIEF.md, or with an empty one', async () => {
    await using at = await temporary()
    await expect(readContest(at.at('nothing'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('paddock contest new'),
    })
    await writeFile(at.at('contest.yaml'), good)
    await expect(readContest(at.path)).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('BRIEF.md is missing') })
    await writeFile(at.at('BRIEF.md'), ' \n')
    await expect(readContest(at.path)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('is empty') })
    await writeFile(at.at('BRIEF.md'), 'Do it.')
    expect(await readContest(at.path)).toMatchObject({ brief: 'Do it.', judgeBrief: null, raw: null })
  })

  test('with bytes that are not text', async () => {
    await using at = await temporary()
    await writeFile(at.at('contest.yaml'), Buffer.from([0xff, 0xfe]))
    await expect(readContest(at.path)).rejects.toMatchObject({ code: 'BAD_INPUT', message: 'contest.yaml is not UTF-8 text.' })
  })

  test('files that lead out of it, also by a link', async () => {
    await using at = await temporary()
    const contest = at.at('contest')
    await mkdir(contest)
    await mkdir(at.at('outside'))
    await symlink(at.at('outside'), path.join(contest, 'link'))
    await writeFile(path.join(contest, 'BRIEF.md'), 'x')
    for (const [files, message] of [
      ['link', 'leads out'],
      ['.', 'leads out'],
      ['none', 'participants[0].files names no directory beside contest.yaml: none'],
    ] as const) {
      await writeFile(path.join(contest, 'contest.yaml'), good.replace('agent: command', `agent: command\n    files: ${files}`))
      await expect(readContest(contest)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(message) })
    }
  })
})

test('`contest new` makes a contest that can be read, and never overwrites one', async () => {
  await using at = await temporary()
  const made = await newContest(at.at('My Contest!'))
  expect(made.map((each) => path.basename(each))).toEqual(['contest.yaml', 'BRIEF.md', 'JUDGE_BRIEF.md'])
  expect((await readContest(at.at('My Contest!'))).config.name).toBe('my-contest')
  await expect(newContest(at.at('My Contest!'))).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

test('a copy has what the user wrote, and nothing of earlier runs', async () => {
  await using at = await temporary()
  await newContest(at.at('one'))
  await mkdir(at.at('one/rounds/1'), { recursive: true })
  await writeFile(at.at('one/status.json'), '{}')
  await copyContest(at.at('one'), at.at('two'))
  const { layout, raw } = await readContest(at.at('two'))
  expect(raw).toBe(layout.raw)
  await expect(
    readContest(at.at('two'))
      .then(() => import('node:fs/promises'))
      .then((fs) => fs.readdir(at.at('two'))),
  ).resolves.toEqual(['.copied-from', 'BRIEF.md', 'JUDGE_BRIEF.md', 'contest.yaml', 'raw'])
  await expect(copyContest(at.at('one'), at.at('one/inner'))).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

test('the JSON Schema is of the input', () => {
  expect(contestJsonSchema()).toMatchObject({ type: 'object', required: ['schemaVersion', 'name', 'participants'] })
})
