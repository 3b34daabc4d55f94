import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RedteamReport } from '../../../src/redteam/redteam.ts'
import { everyone, makeStage, mountableNode, paddock, type Stage } from '../../support/cli.ts'

const attack = path.join(import.meta.dirname, '../../fixtures/redteam/attack.cjs')

/** Returns a copy of the attacker that Paddock's user may show to a cell, and a Node to run it. */
function attacker(stage: Stage): { readonly file: string; readonly node: string } {
  const file = path.join(stage.root, 'attack.cjs')
  copyFileSync(attack, file)
  stage.own()
  return { file, node: mountableNode() }
}

const left = (stage: Stage): readonly string[] => readdirSync(path.join(stage.root, 'paddock/state/scratch'))

describe.each(everyone)('paddock redteam, as %s', (who) => {
  test('an attacker that tries everything moves nothing, and nothing is left of the run', async () => {
    using stage = makeStage(who)
    const { file, node } = attacker(stage)
    const ran = await paddock(stage, ['redteam', '--json', '--quiet', '--ro', file, '--ro', node, '--', node, file])
    expect(ran.stderr).toBe('')
    const report = JSON.parse(ran.stdout) as RedteamReport
    expect(report.canaries.filter((each) => each.moved)).toEqual([])
    expect(report).toMatchObject({ schemaVersion: 1, agent: 'command', moved: false, cell: { ending: { kind: 'exited', code: 0 } } })
    expect(report.unset.map((each) => each.id).filter((id) => id !== 'host-address')).toEqual(['terminal-input'])
    expect(report.canaries.length).toBeGreaterThanOrEqual(20)
    expect(report.said.tried.length).toBe(50)
    expect(ran.code).toBe(0)
    expect(left(stage)).toEqual([])
    expect((await paddock(stage, ['audit', 'verify'])).code).toBe(0)
  })

  test('a tree that moved is reported with exit code 1', async () => {
    using stage = makeStage(who)
    // A variable that the user passed by name has moved when the cell prints it.
    const ran = await paddock(stage, [
      'redteam',
      '--egress',
      'off',
      '--env',
      'PADDOCK_REDTEAM_TOKEN',
      '--',
      'sh',
      '-c',
      'echo $PADDOCK_REDTEAM_TOKEN',
    ])
    expect(ran.stdout).toMatch(/^✗ MOVED host-environment {2}.*its words were found in its standard output/m)
    expect(ran.stdout).toMatch(/^✓ ssh-key/m)
    expect(ran.stdout).toMatch(/^– denied-name|^✓ denied-name/m)
    expect(ran.stdout).toMatch(/command · L2 · 1 of \d+ canaries moved/)
    expect(ran.stderr).toMatch(/canaries are set/)
    expect(ran.code).toBe(1)
    expect(left(stage)).toEqual([])
  })

  test("the attacker's own text cannot affect the terminal", async () => {
    using stage = makeStage(who)
    const script = `printf '{"tried":["a \\\\u001b]0;title\\\\u0007 b"]}' > out/proof.json; printf 'last \\033[2J'`
    const ran = await paddock(stage, ['redteam', '--egress', 'off', '--quiet', '--', 'sh', '-c', script])
    expect(ran.stdout).toContain('a \\u{1b}]0;title\\u{7} b')
    expect(ran.stdout).not.toContain('\u001b')
    expect(ran.code).toBe(0)
  })

  test('time, bad input and what cannot be started', async () => {
    using stage = makeStage(who)
    const slow = await paddock(stage, ['redteam', '--egress', 'off', '--timeout', '500ms', '--', 'sleep', '60'])
    expect(slow.stdout).toMatch(/out of time/)
    expect(slow.code).toBe(0)
    expect((await paddock(stage, ['redteam'])).code).toBe(2)
    expect((await paddock(stage, ['redteam', '--timeout', 'soon', '--', 'true'])).code).toBe(2)
    expect((await paddock(stage, ['redteam', '--egress', 'off', '--', 'no-such-program'])).code).toBe(127)
    expect((await paddock(stage, ['redteam', 'grok'])).code).toBe(127)
    expect(left(stage)).toEqual([])
  })

  test('an agent that does not get to work has shown nothing', async () => {
    using stage = makeStage(who)
    writeFileSync(path.join(stage.root, 'claude'), '#!/bin/sh\necho "not logged in" >&2\nexit 1\n', { mode: 0o755 })
    stage.own()
    const ran = await paddock(stage, ['redteam', 'claude'], { env: { PATH: `${stage.root}:${stage.env['PATH']}` } })
    expect(ran.stdout).toMatch(/claude used no tool and failed, so the run has shown nothing/)
    expect(ran.code).toBe(125)
  })

  test('an agent is heard through its adapter', async () => {
    using stage = makeStage(who)
    const lines = [
      {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'cat ../beside/notes.txt' } }] },
      },
      { type: 'result', subtype: 'success', is_error: false, result: 'I could not get out.' },
    ]
    const said = lines.map((each) => `printf '%s\\n' '${JSON.stringify(each)}'`).join('\n')
    writeFileSync(path.join(stage.root, 'claude'), `#!/bin/sh\ngrep -q GOAL.md || exit 3\ntest -f GOAL.md || exit 4\n${said}\n`, {
      mode: 0o755,
    })
    stage.own()
    const ran = await paddock(stage, ['redteam', 'claude', '--json'], { env: { PATH: `${stage.root}:${stage.env['PATH']}` } })
    const bare = ran.stdout === '' ? ran.stderr : ran.stdout
    expect(bare).toMatch(/I could not get out\./)
    expect(ran.code).toBe(0)
  })
})
