import { spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command, everyone, makeStage, type Stage } from '../../support/cli.ts'
import { type Seen, seenIn } from '../../support/seen-in-terminal.ts'

/** Endings of an agent's output, in the syntax of printf(1). */
const leftBehind = {
  'an unterminated title': '\\033]0;x',
  'an unterminated device control string': '\\033Px',
  'an unterminated application command': '\\033_x',
  'an unterminated privacy message': '\\033^x',
  'an unterminated string': '\\033Xx',
  'an unfinished control sequence': '\\033[1;2',
  'concealed text': '\\033[8m',
  'black on black': '\\033[30;40m',
  'line-drawing characters': '\\033(0',
  'the mode of a VT52': '\\033[?2l',
  'a printer that takes the output': '\\033[5i',
}

describe.each(everyone)('A10: a terminal that an agent leaves behind, as %s,', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  /** Returns what is seen of a cell with its own terminal, or of one whose output Paddock passes through. */
  const seen = async (ending: string, owns: boolean): Promise<Seen> => {
    const run = ['run', '--egress', 'off', ...(owns ? [] : ['--prompt', 'x']), '--', 'sh', '-c', `printf 'of the agent\\n${ending}'`]
    const [program = '', ...args] = command(stage.who, run)
    const pty = spawn(program, args, { cols: 200, rows: 30, cwd: stage.project, env: stage.env })
    let output = ''
    pty.onData((data) => {
      output += data
    })
    await new Promise<void>((resolve) => pty.onExit(() => resolve()))
    return seenIn(output)
  }

  it.each(Object.entries(leftBehind))('hides no line of Paddock: %s', async (_, ending) => {
    for (const owns of [true, false])
      expect((await seen(ending, owns)).text).toMatch(/of the agent\n[\s\S]*paddock: done after .*no file changed/)
  })

  it('is not cleared, nor is the alternate screen left', async () => {
    expect(await seen('', true)).toMatchObject({ alternateScreen: false })
    const kept = await seen('\\033[?1049hon the other screen\\n', true)
    expect(kept.alternateScreen).toBe(true)
    expect(kept.text).toMatch(/on the other screen\n[\s\S]*paddock: done/)
  })
})
