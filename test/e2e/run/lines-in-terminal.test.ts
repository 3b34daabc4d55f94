import { spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command, everyone, makeStage, type Stage } from '../../support/cli.ts'

const denial = 'denied tracker.example (not-allowed); to allow it: --allow tracker.example'

describe.each(everyone)('5: in a terminal, as %s,', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  /** Runs a script with the terminal. It reads a line at its end. It gets one when each of `shown` is on the screen. */
  const seen = async (script: string, ...shown: readonly string[]): Promise<string> => {
    const run = ['run', '--allow', 'a.test=127.0.0.1', '--', 'sh', '-c', `${script}; read line; echo end`]
    const [program = '', ...args] = command(stage.who, run)
    const pty = spawn(program, args, { cols: 200, rows: 30, cwd: stage.project, env: stage.env })
    let output = ''
    let answers = 0
    pty.onData((data) => {
      output += data
      const next = shown[answers]
      if (next === undefined || !output.includes(next)) return
      answers++
      pty.write('\r')
    })
    await new Promise<void>((resolve) => pty.onExit(() => resolve()))
    return output
  }

  it('a denial is reported while a command prints text', async () => {
    // The name is looked up when the text is on the screen: the two reach Paddock in different ways.
    const output = await seen('stty -echo; printf "installing"; read line; getent hosts tracker.example', 'installing', denial)
    expect(output).toMatch(/installing\r*\n[^\n]*paddock: denied tracker\.example/)
    expect(output.split(denial)).toHaveLength(2)
  })

  it('a denial is reported at the end while a command draws the screen', async () => {
    const output = await seen('printf "\\033[?1049hdrawn"; read line; getent hosts tracker.example; echo looked', 'drawn', 'looked')
    const [before = '', after = ''] = output.split(/^end/m)
    expect(before).not.toContain(denial)
    expect(after).toContain(denial)
  })
})
