import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { command, everyone, makeStage } from '../support/cli.ts'
import { commandsThenText } from '../support/model-servers/script.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { shellWords, Tmux } from '../support/tmux.ts'
import { modelHost, pin } from './agents.ts'
import { withRealClis } from './place.ts'
import { Screen } from './screen.ts'

const controlC = '\u0003'

describe.each(everyone)('claude in a terminal, as %s', (who) => {
  it('shows its screen, follows the size, works when it is asked to, and leaves nothing behind', async () => {
    using stage = makeStage(who)
    const server = await startModelServer({ script: commandsThenText(['echo typed > RESULT.md'], 'It-is-written.') })
    try {
      const endpoint = [
        '--base-url',
        `http://${modelHost}:${server.port}`,
        '--allow',
        pin(server.port),
        '--env',
        'ANTHROPIC_AUTH_TOKEN=placeholder',
      ]
      using screen = new Screen(stage, ['run', ...endpoint, '--model', 'claude-sonnet-5-5', 'claude'], withRealClis(stage.env, who))
      await screen.shows(/paddock: L2 · bubblewrap/)
      await screen.shows(/Claude Code/)
      await screen.shows(/(?<!─)─{90}(?!─)/)
      await screen.shows(/bypass permissions/)

      screen.forget()
      screen.resize(70, 20)
      await screen.shows(/(?<!─)─{70}(?!─)/)

      screen.type('hello')
      await screen.shows(/hello/)
      screen.type('\r')
      await screen.shows(/It-is-written\./)
      expect(readFileSync(path.join(stage.project, 'RESULT.md'), 'utf8')).toBe('typed\n')

      expect(await screen.pressTwice(controlC, /again to exit/)).toBe(0)
      expect(screen.text).toMatch(/paddock: done after .* · reached models\.test:\d+\r/)
      expect(processesThatKnow(stage.root)).toEqual([])
    } finally {
      await server.close()
    }
  })
})

describe.each(everyone)('claude in a terminal, as a shim starts it, as %s', (who) => {
  it('shows only its own screen, in its own mode, and answers', async () => {
    using stage = makeStage(who)
    const server = await startModelServer({ script: () => ({ say: 'It-is-said.' }) })
    try {
      const endpoint = [
        '--base-url',
        `http://${modelHost}:${server.port}`,
        '--allow',
        pin(server.port),
        '--env',
        'ANTHROPIC_AUTH_TOKEN=placeholder',
      ]
      const args = ['run', '--as-is', '--quiet', ...endpoint, 'claude', '--model', 'claude-sonnet-5-5']
      using screen = new Screen(stage, args, withRealClis(stage.env, who))
      await screen.shows(/Claude Code/)
      await screen.shows(/(?<!─)─{90}(?!─)/)
      screen.type('hello')
      await screen.shows(/hello/)
      screen.type('\r')
      await screen.shows(/It-is-said\./)
      expect(await screen.pressTwice(controlC, /again to exit/)).toBe(0)
      expect(screen.text).not.toMatch(/paddock:|bypass permissions/)
    } finally {
      await server.close()
    }
  })
})

describe.each(everyone)('claude with an API key, as %s', (who) => {
  it.each([
    ['its placeholder', []],
    ['a placeholder of a secret', ['--secret', 'ANTHROPIC_API_KEY=env:KEY']],
  ])('%s: it does not ask whether it may use it', async (_, secret) => {
    using stage = makeStage(who)
    const server = await startModelServer({ script: commandsThenText(['echo typed > RESULT.md'], 'It-is-written.') })
    try {
      const key = secret.length === 0 ? ['--env', 'ANTHROPIC_API_KEY'] : secret
      const args = ['run', '--base-url', `http://${modelHost}:${server.port}`, '--allow', pin(server.port), ...key]
      const env = {
        ...withRealClis(stage.env, who),
        [secret.length === 0 ? 'ANTHROPIC_API_KEY' : 'KEY']: `sk-ant-api03-${'k'.repeat(90)}AA`,
      }
      // The second time, the home exists and the placeholder is another one.
      for (const result of ['first', 'second']) {
        using screen = new Screen(stage, [...args, '--model', 'claude-sonnet-5-5', 'claude'], env)
        await screen.shows(/bypass permissions|usethisAPIkey/)
        expect(screen.text).not.toMatch(/usethisAPIkey/)
        screen.type(result)
        await screen.shows(new RegExp(result))
        screen.type('\r')
        await screen.shows(/It-is-written\./)
        expect(await screen.pressTwice(controlC, /again to exit/)).toBe(0)
      }
    } finally {
      await server.close()
    }
  })
})

describe.each(everyone)('2: claude in a shell’s terminal, as %s', (who) => {
  it('Ctrl-Z stops claude and Paddock, fg brings both back, and Ctrl-C never ends the cell by itself', async () => {
    using stage = makeStage(who)
    const server = await startModelServer({ script: commandsThenText(['echo typed > RESULT.md'], 'It-is-written.') })
    try {
      const endpoint = [
        '--base-url',
        `http://${modelHost}:${server.port}`,
        '--allow',
        pin(server.port),
        '--env',
        'ANTHROPIC_AUTH_TOKEN=placeholder',
      ]
      const args = ['run', ...endpoint, '--model', 'claude-sonnet-5-5', 'claude']
      using screen = new Tmux(stage, withRealClis(stage.env, who))
      screen.enter(`clear; ${shellWords(command(stage.who, args).slice(-(args.length + 2)))}; echo "code $?"`)
      await screen.shows(/bypass permissions/)
      screen.press('C-z')
      await screen.shows(/Stopped/)
      screen.enter('clear; stty -a | grep -ow -e "-*icanon"; echo in-the-shell')
      await screen.shows(/^icanon\nin-the-shell$/m)
      screen.enter('fg')
      await screen.shows(/bypass permissions/)
      screen.press('C-c')
      await screen.shows(/again to exit/)
      screen.enter('hello')
      await screen.shows(/It-is-written\./)
      expect(readFileSync(path.join(stage.project, 'RESULT.md'), 'utf8')).toBe('typed\n')
      screen.enter('/exit')
      await screen.shows(/paddock: done after/)
    } finally {
      await server.close()
    }
  })
})

/** Returns the processes with this directory in their environment or arguments. All processes of a cell have it, because of their home. */
function processesThatKnow(directory: string): string[] {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && (read(pid, 'environ') + read(pid, 'cmdline')).includes(directory))
    .map((pid) => `${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ')}`)
}
