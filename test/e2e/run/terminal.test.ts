import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command, everyone, makeStage, type Stage } from '../../support/cli.ts'

/** Paddock in a terminal, as a person uses it. */
class Screen {
  text = ''
  readonly #pty: IPty
  readonly exit: Promise<number>

  constructor(stage: Stage, args: readonly string[]) {
    const [program, ...rest] = command(stage.who, args)
    this.#pty = spawn(program ?? '', rest, { cols: 90, rows: 30, cwd: stage.project, env: stage.env })
    this.#pty.onData((data) => {
      this.text += data
    })
    this.exit = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)))
  }
  get pid(): number {
    return this.#pty.pid
  }
  type(text: string): void {
    this.#pty.write(text)
  }
  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows)
  }
  async shows(pattern: RegExp): Promise<RegExpExecArray> {
    for (let tries = 0; tries < 600; tries++) {
      const found = pattern.exec(this.text)
      if (found !== null) return found
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`${pattern} never appeared in: ${this.text}`)
  }
  [Symbol.dispose](): void {
    this.#pty.kill('SIGKILL')
  }
}

describe.each(everyone)('a terminal in a cell, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  it('is a terminal of the cell’s own, has the size of the outer one, and follows it', async () => {
    using screen = new Screen(stage, ['run', '--', 'bash', '--norc', '--noediting', '-i'])
    screen.type('PS1=; stty size; tty; echo "sid $(ps -o sid= -p $$) pid $$"\r')
    await screen.shows(/30 90\r/)
    await screen.shows(/sid +\d+ pid \d+\r/)
    screen.resize(101, 33)
    screen.type('sleep 0.3; stty size; echo tick\r')
    await screen.shows(/33 101\r/)
    screen.type('exit 7\r')
    expect(await screen.exit).toBe(7)
    expect(screen.text).toMatch(/paddock: L2 · bubblewrap/)
    expect(screen.text).toMatch(/paddock: exit 7 after/)
  })

  it('Ctrl-C and job control reach the program, not Paddock', async () => {
    using screen = new Screen(stage, ['run', '--', 'bash', '--norc', '--noediting', '-i'])
    screen.type('PS1=; trap "echo caught-int" INT; echo ready-$((1+1))\r')
    await screen.shows(/ready-2/)
    screen.type('\u0003')
    await screen.shows(/caught-int/)
    screen.type('sleep 60\r')
    await new Promise((resolve) => setTimeout(resolve, 300))
    screen.type('\u001a')
    await screen.shows(/Stopped/)
    screen.type('fg\r')
    await screen.shows(/fg\s+sleep 60/)
    screen.type('\u0003')
    await screen.shows(/caught-int[\s\S]*caught-int/)
    screen.type('exit 0\r')
    expect(await screen.exit).toBe(0)
  })

  it('keys cannot be put into the terminal outside (TIOCSTI)', async () => {
    const report = path.join(stage.root, 'report.json')
    // TIOCSTI is 0x5412 (tty_ioctl(4)). Input that ends up in the cell's own terminal is allowed.
    using screen = new Screen(stage, [
      'run',
      '--report',
      report,
      '--',
      'perl',
      '-e',
      'for my $c (split //, "echo injected\\n") { ioctl(STDIN, 0x5412, my $b = $c) or print "refused\\n" } open my $t, "+<", "/dev/tty"; print "done\\n"',
    ])
    expect(await screen.exit).toBe(0)
    await screen.shows(/done/)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(JSON.parse(readFileSync(report, 'utf8')).ending).toEqual({ kind: 'exited', code: 0 })
  })

  it('nothing of the host is open in it', async () => {
    using screen = new Screen(stage, ['run', '--', 'sh', '-c', 'ls -l /proc/self/fd; echo end'])
    await screen.shows(/end\r/)
    const open = [...screen.text.matchAll(/ (\d+) -> (.*?)\r/g)].map((each) => each[2] ?? '')
    expect(open.length).toBeGreaterThanOrEqual(4)
    expect(open.filter((each) => !/^(\/dev\/pts\/\d+|\/dev\/console|\/dev\/null|\/proc\/\d+\/fd)$/.test(each))).toEqual([])
    expect(await screen.exit).toBe(0)
  })

  it('closing the outer terminal ends the cell', async () => {
    const report = path.join(stage.root, 'report.json')
    const screen = new Screen(stage, ['run', '--report', report, '--', 'sh', '-c', 'echo up; sleep 100'])
    await screen.shows(/up/)
    screen.type('')
    process.kill(screen.pid, 'SIGHUP')
    expect(await screen.exit).toBe(130)
    expect(JSON.parse(readFileSync(report, 'utf8')).ending).toEqual({ kind: 'cancelled' })
  })
})
