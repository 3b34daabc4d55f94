import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openEditor } from '../../support/acp-client.ts'
import { everyone, makeStage, paddock } from '../../support/cli.ts'
import { processesRunning, until } from '../../support/processes.ts'

const shell = (script: string): readonly string[] => ['--', 'sh', '-c', script]

describe.each(everyone)('paddock acp with a command, as %s', (who) => {
  test('each prompt of a session is a run in a cell on its directory, and what it prints is streamed', async () => {
    using stage = makeStage(who)
    stage.put('other/kept.txt', '')
    stage.own()
    const editor = await openEditor(stage, shell('cat >> prompts.txt; echo "in $PWD"; cat /etc/shadow 2>&1 | head -1; ls -d ~/.ssh'))
    const session = await editor.open(path.join(stage.project, 'other'))
    const file = { type: 'resource' as const, resource: { uri: 'file:///project/notes%20here.md', text: 'kept in mind' } }
    expect(await editor.prompt(session, 'First. ', file).catch((error: Error) => error.message)).toMatch(/exit [12]/)
    expect(stage.read('other/prompts.txt')).toBe('First. \n<file name="/project/notes here.md">\nkept in mind\n</file>\n')
    expect(editor.text()).toContain(`in ${stage.project}/other\n`)
    expect(editor.text()).not.toContain('root:')

    const other = await editor.open(stage.project)
    await editor.prompt(other, 'Second.').catch(() => {})
    expect(stage.read('prompts.txt')).toBe('Second.')
    expect(await editor.close()).toBe(0)
  })

  test('a turn that is cancelled ends its cell, and the next prompt runs', async () => {
    using stage = makeStage(who)
    const editor = await openEditor(stage, shell('read -r seconds; echo begun; sleep "$seconds"; echo over'))
    const session = await editor.open(stage.project)
    const turn = editor.prompt(session, '86399\n')
    await editor.sees('begun')
    await expect(editor.prompt(session, '0\n')).rejects.toThrow()
    await editor.cancel(session)
    expect(await turn).toBe('cancelled')
    expect(processesRunning('sleep', '86399')).toEqual([])
    expect(await editor.prompt(session, '0\n')).toBe('end_turn')
    expect(editor.text()).toContain('over')
  })

  test('no cell outlives its editor: neither one that closes, nor a server that is killed', async () => {
    using stage = makeStage(who)
    for (const [seconds, end] of [
      ['86397', 'close'],
      ['86398', 'kill'],
    ] as const) {
      const editor = await openEditor(stage, shell('read -r seconds; echo begun; sleep "$seconds"'))
      const turn = editor.prompt(await editor.open(stage.project), `${seconds}\n`).catch(() => 'gone')
      await editor.sees('begun')
      if (end === 'close') expect(await editor.close()).toBe(0)
      else editor.child.kill('SIGKILL')
      expect(await turn).toBe('gone')
      await until(() => processesRunning('sleep', seconds).length === 0)
    }
  })

  test('a refusal of paddock run is the answer to the prompt, with its hint', async () => {
    using stage = makeStage(who)
    stage.put('.paddock.yaml', 'schemaVersion: 1\nrun:\n  allow: [example.com]\n')
    stage.own()
    const editor = await openEditor(stage, shell('touch ran'))
    await expect(editor.prompt(await editor.open(stage.project), 'x')).rejects.toThrow(/is not trusted.*paddock trust/s)
    await expect(editor.prompt(await editor.open(stage.home), 'x')).rejects.toThrow('home')
    await expect(editor.prompt('no-such-session', 'x')).rejects.toThrow()
    await expect(editor.open('relative')).rejects.toThrow()
    expect(existsSync(path.join(stage.project, 'ran'))).toBe(false)
  })

  test.each([
    [['--prompt', 'x', 'claude'], '--prompt has no effect with paddock acp.'],
    [['--json', 'claude'], '--json has no effect with paddock acp.'],
    [[], 'paddock acp needs an agent'],
    [['cladue'], 'Did you mean claude?'],
  ])('%j is refused before anything is served', async (args, message) => {
    using stage = makeStage(who)
    const { code, stdout, stderr } = await paddock(stage, ['acp', ...args])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})
