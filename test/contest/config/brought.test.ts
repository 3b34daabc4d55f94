import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { contestAsks } from '../../../src/contest/config/asked-rights.ts'
import { readContest } from '../../../src/contest/config/brief.ts'
import { fingerprintOf } from '../../../src/contest/state/fingerprint.ts'
import { temporary } from '../../support/temporary.ts'

async function contest(participant: object) {
  const at = await temporary()
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(at.path, file)), { recursive: true })
    await writeFile(path.join(at.path, file), text)
  }
  const config = {
    schemaVersion: 1,
    name: 'trial',
    participants: [{ name: 'one', agent: 'claude', ...participant }],
    checks: [{ name: 'there', command: 'true' }],
  }
  await write('contest.yaml', JSON.stringify(config))
  await write('BRIEF.md', 'Do it.')
  await write('skills/tidy/SKILL.md', '---\nname: tidy\n---\nBe tidy.')
  await write('skills/tidy/scripts/run.sh', 'echo')
  await write('rules.md', 'Rules.')
  await write('more.md', 'More.')
  return { path: at.path, write, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() }
}

const everything = { skills: ['skills/tidy'], instructions: 'rules.md', prompt: 'more.md', program: '/opt/claude' }

test('what a participant brings is read with its contest', async () => {
  await using at = await contest(everything)
  expect((await readContest(at.path)).brought).toEqual({
    one: {
      skills: [{ name: 'tidy', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      instructions: expect.stringMatching(/^[0-9a-f]{64}$/),
      prompt: 'More.',
      files: null,
    },
  })
})

test('code and the program need consent, and changed code needs it again', async () => {
  await using at = await contest(everything)
  const asks = async (): Promise<string[]> => {
    const { config, brought } = await readContest(at.path)
    return contestAsks(config, brought).map(({ key, value }) => `${key} = ${value}`)
  }
  const before = await asks()
  expect(before).toEqual([
    expect.stringMatching(/^participants\[0\]\.skills = tidy \(sha256 [0-9a-f]{64}\)$/),
    'participants[0].program = /opt/claude',
  ])
  await chmod(path.join(at.path, 'skills/tidy/scripts/run.sh'), 0o755)
  const executable = await asks()
  expect(executable).not.toEqual(before)
  await at.write('skills/tidy/scripts/run.sh', 'echo other')
  expect(await asks()).not.toEqual(executable)
})

test('servers and settings need consent, with the programs that they can run', async () => {
  const mcp = { notes: { command: ['sh', '/agent/notes.sh'] }, docs: { url: 'https://docs.example', headers: { A: 'b' } } }
  await using at = await contest({ mcp, config: { hooks: {} }, files: 'skills' })
  const { config, brought } = await readContest(at.path)
  expect(contestAsks(config, brought).map(({ key, value }) => `${key} = ${value}`)).toEqual([
    'participants[0].mcp.notes = {"command":["sh","/agent/notes.sh"]}',
    'participants[0].mcp.docs = {"url":"https://docs.example","headers":{"A":"b"}}',
    'participants[0].config = {"hooks":{}}',
    expect.stringMatching(/^participants\[0\]\.files = with its programs \(sha256 [0-9a-f]{64}\)$/),
  ])
})

test.each(['skills/tidy/SKILL.md', 'rules.md', 'more.md'])('a contest with another %s is another contest', async (file) => {
  await using at = await contest(everything)
  const before = fingerprintOf(await readContest(at.path))
  await at.write(file, 'Something else.')
  expect(fingerprintOf(await readContest(at.path))).not.toBe(before)
})

test('the fingerprint of a contest whose participants bring nothing is of its config and brief', async () => {
  await using at = await contest({})
  const { config, brief } = await readContest(at.path)
  expect(fingerprintOf(await readContest(at.path))).toBe(fingerprintOf({ config, brief, brought: {} }))
})

describe('each of these is refused with its key', () => {
  test.each([
    ['a skill that is missing', { skills: ['skills/none'] }, 'participants[0].skills[0] names no directory: skills/none'],
    ['a directory that is not a skill', { skills: ['skills'] }, 'participants[0].skills[0] names a directory without a SKILL.md: skills'],
    ['a skill with such a name', { skills: ['skills/Not_One'] }, 'cannot be the name of a skill: Not_One'],
    ['two skills of one name', { skills: ['skills/tidy', 'other/tidy'] }, 'participants[0].skills[1] is the second skill of the name tidy'],
    ['a link to elsewhere', { skills: ['linked'] }, 'participants[0].skills[0] leads out of its directory: linked'],
    ['a missing file', { instructions: 'none.md' }, 'participants[0].instructions names no file: none.md'],
    ['an empty file', { prompt: 'empty.md' }, 'participants[0].prompt names an empty file: empty.md'],
    ['a file of a variant', { variants: { a: { prompt: 'empty.md' } } }, 'participants[0].variants.a.prompt names an empty file'],
  ])('%s', async (_, participant, message) => {
    await using at = await contest(participant)
    await using elsewhere = await temporary()
    await writeFile(path.join(elsewhere.path, 'SKILL.md'), 'Elsewhere.')
    await symlink(elsewhere.path, path.join(at.path, 'linked'))
    await at.write('skills/Not_One/SKILL.md', 'x')
    await at.write('other/tidy/SKILL.md', 'x')
    await at.write('empty.md', ' \n')
    await expect(readContest(at.path)).rejects.toThrow(message)
  })

  test('an oracle in a skill', async () => {
    await using at = await contest(everything)
    const config = JSON.parse(await readFile(path.join(at.path, 'contest.yaml'), 'utf8'))
    await at.write('contest.yaml', JSON.stringify({ ...config, oracle: 'skills/tidy/scripts' }))
    await expect(readContest(at.path)).rejects.toThrow('oracle: participants would see it: they see skills/tidy')
  })
})
