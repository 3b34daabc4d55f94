import type { ChildProcess } from 'node:child_process'
import { type IPty, spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command, everyone, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

const ask = ['--ask', 'a.test:8080']
const curl = 'curl -s -o /dev/null -w "status %{http_code} " http://a.test:8080/; echo code $?'

function said(child: ChildProcess): { readonly text: () => string; readonly ended: Promise<unknown> } {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += String(chunk)
    })
  return { text: () => text, ended: new Promise((resolve) => child.once('close', resolve)) }
}

async function until<T>(look: () => T | null | undefined | Promise<T | null | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

interface Listed {
  readonly open: readonly { readonly id: string; readonly host: string; readonly port: number; readonly cellName: string }[]
  readonly remembered: readonly unknown[]
}

describe.each(everyone)('questions, as %s', (who) => {
  let stage: Stage
  let pty: IPty | null = null
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => {
    pty?.kill('SIGKILL')
    pty = null
    stage[Symbol.dispose]()
  })
  const list = async (): Promise<Listed> => JSON.parse((await paddock(stage, ['approvals', '--json'])).stdout)
  const screen = (
    args: readonly string[],
  ): { readonly text: () => string; readonly type: (text: string) => void; readonly ended: Promise<number> } => {
    const [program, ...rest] = command(stage.who, args)
    const made = spawn(program ?? '', rest, { cols: 200, rows: 30, cwd: stage.project, env: stage.env })
    pty = made
    let text = ''
    made.onData((data) => {
      text += data
    })
    return {
      text: () => text,
      type: (typed) => made.write(typed),
      ended: new Promise((resolve) => made.onExit(({ exitCode }) => resolve(exitCode))),
    }
  }

  it('are answered from another terminal, once', async () => {
    const child = startPaddock(stage, ['run', ...ask, '--', 'sh', '-c', curl])
    child.stdin?.end()
    const run = said(child)
    const id = await until(
      () => /waiting for an answer: connect to a\.test:8080 · paddock approvals allow ([0-9a-f]{8}) /.exec(run.text())?.[1],
    )
    expect((await list()).open).toMatchObject([{ id, host: 'a.test', port: 8080, cellName: 'run sh' }])
    expect((await paddock(stage, ['approvals'])).stdout).toMatch(
      new RegExp(`^${id}  connect to a\\.test:8080  · cell .* · asked by your options · `),
    )
    expect(run.text()).not.toContain('code')
    const denied = await paddock(stage, ['approvals', 'deny', id])
    expect([denied.code, denied.stderr]).toEqual([0, 'paddock: denied (once): connect to a.test:8080\n'])
    await run.ended
    expect(run.text()).toMatch(/status 403 code 0/)
    expect(run.text()).toContain('denied a.test:8080 (not-approved)')
    const again = await paddock(stage, ['approvals', 'allow', id])
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`There is no open question ${id}`)])
    expect((await paddock(stage, ['approvals', 'allow', id, '--for', 'ever'])).code).toBe(2)
    expect((await paddock(stage, ['approvals'])).stderr).toBe('paddock: no question is open\n')
    const log = await paddock(stage, ['audit', 'tail', '--kind', 'approval'])
    expect(log.stdout).toMatch(
      /approval\.asked +[0-9a-f]{8} · a\.test:8080\n.*approval\.answered +[0-9a-f]{8} · a\.test:8080 · denied \(once, command\)\n/,
    )
  })

  it('about any name: it has an address in the cell and is not looked up; a remembered answer is not asked for again', async () => {
    const args = [
      'run',
      '--ask',
      '*:8080',
      '--',
      'sh',
      '-c',
      `getent hosts x-${who}.invalid; curl -s http://x-${who}.invalid:8080/; echo code $?`,
    ]
    const child = startPaddock(stage, args)
    child.stdin?.end()
    const run = said(child)
    const { id, host } = await until(async () => (await list()).open[0])
    expect(host).toBe(`x-${who}.invalid`)
    expect((await paddock(stage, ['approvals', 'deny', id, '--for', 'always'])).code).toBe(0)
    await run.ended
    expect(run.text()).toMatch(/198\.18\.\d+\.\d+/)
    expect((await list()).remembered).toMatchObject([{ host: `x-${who}.invalid`, port: 8080, allowed: false }])
    const second = await paddock(stage, args)
    expect(second.stdout).toMatch(/paddock: denied \(not-approved\): [\s\S]*code 0/)
    expect(second.stderr).not.toContain('waiting for an answer')
  })

  it('end with the run that asked', async () => {
    const child = startPaddock(stage, ['run', ...ask, '--', 'sh', '-c', curl])
    child.stdin?.end()
    const run = said(child)
    const { id } = await until(async () => (await list()).open[0])
    child.kill('SIGKILL')
    await run.ended
    const late = await paddock(stage, ['approvals', 'allow', id])
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('the run that asked is over')])
    expect((await list()).open).toEqual([])
  })

  it('are put at the terminal that started a run with a prompt, and nothing of the cell is written over them', async () => {
    const hidden = '\\033[?1049h\\033[?25l\\033]10;#000000\\007\\033]11;#000000\\007\\033]4;4;#ffffff\\007'
    const noise = `cat > /dev/null; (while :; do printf "\\033[8m\\033[5;9r${hidden}"; sleep 0.01; done) & while [ ! -e go ]; do sleep 0.02; done; ${curl}; kill $!`
    const at = screen(['run', '--prompt', 'task', ...ask, '--', 'sh', '-c', noise])
    // The question is asked only after the cell has manipulated the screen.
    await until(() => (at.text().includes('\u001b]11;#') ? true : null))
    stage.put('go', '')
    const question =
      /run sh, cell [0-9a-f]{12} wants to connect to a\.test:8080 \(user\)\.[^?]{1,40}Allow\? y\(es\) n\(o\) c\(ell\) a\(lways\): /
    await until(() => question.exec(at.text()))
    await new Promise((resolve) => setTimeout(resolve, 600))
    const shown = at.text().slice(at.text().search(question))
    expect(shown).not.toContain('\u001b[8m')
    const before = at.text().slice(0, at.text().search(question))
    const since = before.slice(before.lastIndexOf('\u001b]11;#'))
    for (const each of [']104', ']110', ']111', ']112', '[!p', '[?1049l', '[?25h', '[0m']) expect(since).toContain(`\u001b${each}`)
    expect(since).toMatch(/(\r+\n){2}\S{1,20}paddock: $/)
    at.type('what\r')
    await until(() => (at.text().split('Allow?').length === 3 ? true : null))
    at.type('n\r')
    await at.ended
    // The cell's own sequences come between, by chance.
    expect(at.text()).toMatch(/status 403 .*code 0/s)
  })

  it('leave a screen that belongs to the cell untouched, except for one line', async () => {
    const many = Array.from({ length: 5 }, (_, each) => `curl -s http://a.test:808${each}/ &`).join(' ')
    const at = screen(['run', '--ask', 'a.test:8080,8081,8082,8083,8084', '--', 'bash', '-c', `${many} wait; echo all done`])
    const open = await until(async () => {
      const found = (await list()).open
      return found.length === 5 ? found : null
    })
    for (const { id } of open) await paddock(stage, ['approvals', 'deny', id])
    await at.ended
    expect(at.text()).toContain('all done')
    expect(at.text().split('the agent waits for your answer; in another terminal: paddock approvals')).toHaveLength(2)
  })
})
