import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processesWith, statOf } from '../../../src/system/process-tree.ts'
import { command, makeStage, ordinary, type Stage, type Under, underEach } from '../../support/cli.ts'
import { until } from '../../support/processes.ts'
import { shellWords, Tmux } from '../../support/tmux.ts'

const cases = ordinary.flatMap((who) => underEach.map((under) => [who, under] as const))

describe.each(cases)('2: in a terminal, as %s under %s', (who, under) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  it('Ctrl-C goes to a program that handles it, and its own ending counts', async () => {
    script(stage, 'trap "echo got-it; sleep 1; echo bye; exit 7" INT; echo ready; while :; do sleep 0.2; done')
    using screen = started(stage, under, ['sh', './script'])
    await screen.shows(/^ready$/m)
    screen.press('C-c')
    expect(await screen.shows(/code \d/)).toMatch(/got-it\nbye\npaddock: exit 7 after .*\n(?:.*\n)*code 7/)
  })

  it('Ctrl-C interrupts what python3 does and leaves it running, however often', async () => {
    using screen = started(stage, under, ['python3', '-q'])
    await screen.shows(/^>>>$/m)
    for (const each of [1, 2, 3]) {
      screen.enter(`import time; print("round", ${each}); time.sleep(60)`)
      await screen.shows(new RegExp(`^round ${each}$`, 'm'))
      screen.press('C-c')
      await screen.shows(new RegExp(`^(?:[\\s\\S]*^KeyboardInterrupt$){${each}}`, 'm'))
    }
    screen.enter('print(6 * 7)')
    await screen.shows(/^42$/m)
    screen.enter('exit()')
    expect(await screen.shows(/code \d/)).toMatch(/paddock: done after .*\n(?:.*\n)*code 0/)
  })

  it('Ctrl-C ends a development server with its children, as without a cell', async () => {
    script(stage, 'python3 -m http.server --bind 127.0.0.1 8000 & sleep 1000 | cat')
    using screen = started(stage, under, ['sh', '-c', 'echo serving; sh ./script'])
    await screen.shows(/^serving$/m)
    screen.press('C-c')
    expect(await screen.shows(/code \d/)).toMatch(/paddock: exit 130 \(128 \+ SIGINT\) after .*\n(?:.*\n)*code 130/)
  })

  it('a shell in the cell keeps its jobs to itself', async () => {
    using screen = started(stage, under, ['bash', '--norc', '-i'])
    screen.enter('PS1="inside> "')
    await screen.shows(/^inside>/m)
    // Not a shell loop: if it is stopped between vfork and exec of a command, it is never reported as stopped.
    script(stage, `exec perl -e '$| = 1; $SIG{CONT} = sub { print "continued\\n" }; print "started\\n"; sleep 1 while 1'`)
    screen.enter('sh ./script')
    await screen.shows(/^started$/m)
    screen.press('C-z')
    await screen.shows(/\[1\]\+ {2}Stopped +sh .\/script/)
    screen.enter('fg')
    // The job owns the terminal only after this.
    await screen.shows(/^continued$/m)
    screen.press('C-c')
    screen.enter('exit 3')
    expect(await screen.shows(/code \d/)).not.toMatch(/Stopped .*paddock/)
    expect(screen.text).toMatch(/code 3/)
  })

  it('Ctrl-Z stops the program and Paddock, the terminal is the shell’s again, and fg continues both', async () => {
    using screen = started(stage, under, ['python3', '-q'])
    await screen.shows(/^>>>$/m)
    screen.enter('import time; print("asleep"); time.sleep(2); print("slept")')
    // Only now has Python read the line. Ctrl-Z discards input that has not been read yet (NOFLSH in termios(3)).
    await screen.shows(/^asleep$/m)
    screen.press('C-z')
    await screen.shows(/Stopped/)
    screen.enter('stty -a | grep -ow -e "-*icanon" -e "-*echo"; echo in-the-shell')
    await screen.shows(/^icanon\n(?:.*\n)*in-the-shell$/m)
    expect(screen.text).toMatch(/^echo$/m)
    screen.enter('fg')
    await screen.shows(/^slept$/m)
    screen.enter('print("still", 6 * 7)')
    await screen.shows(/^still 42$/m)
    screen.enter('exit()')
    await screen.shows(/paddock: done after/)
  })

  it('a terminal that was resized while Paddock was stopped has its new size in the cell after fg', async () => {
    using screen = started(stage, under, ['python3', '-q'])
    await screen.shows(/^>>>$/m)
    screen.press('C-z')
    await screen.shows(/Stopped/)
    screen.resize(77, 31)
    screen.enter('stty size')
    await screen.shows(/^31 77$/m)
    screen.enter('fg')
    screen.enter('import os; print("in the cell", *os.get_terminal_size())')
    await screen.shows(/^in the cell 77 31$/m)
    screen.enter('exit()')
    await screen.shows(/paddock: done after/)
  })

  it('while Paddock is stopped nothing of the cell runs, and silence is not counted', async () => {
    script(
      stage,
      `(setsid sh -c 'i=0; while :; do i=$((i+1)); echo $i > count; sleep 0.1; done' &)\necho ready; read line; echo "read <$line>"`,
    )
    using screen = started(stage, under, ['sh', './script'], ['--silence', '4s'])
    await screen.shows(/^ready$/m)
    const count = (): string => readFileSync(path.join(stage.project, 'count'), 'utf8')
    screen.press('C-z')
    await screen.shows(/Stopped/)
    const before = count()
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    expect(count()).toBe(before)
    screen.enter('fg')
    await screen.shows(/sh .\/script$/m)
    screen.enter('a line')
    await screen.shows(/read <a line>/)
    expect(await screen.shows(/paddock: done/)).not.toMatch(/silent/)
  })

  it('a process without its first thread does not run while Paddock is stopped', async () => {
    writeFileSync(path.join(stage.project, 'script.py'), withoutFirstThread)
    using screen = started(stage, under, ['python3', 'script.py'])
    await screen.shows(/Stopped/)
    const count = (): string => readFileSync(path.join(stage.project, 'count'), 'utf8')
    const before = count()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect([count(), before]).toEqual([before, expect.stringMatching(/^[1-9]/)])
    screen.enter('fg')
    await screen.shows(/^goes on$/m)
  })

  it('a cell that continues itself while Paddock is stopped is killed', async () => {
    const name = path.basename(stage.root).slice(-8)
    writeFileSync(path.join(stage.project, 'script.py'), `open('/proc/self/comm', 'w').write('${name}')\n${continuesItself}`)
    using screen = started(stage, under, ['python3', 'script.py'])
    await screen.shows(/^goes on$/m)
    expect(named(name)).toBe(2)
    await screen.shows(/Stopped/)
    for (let tries = 0; tries < 600 && named(name) > 0; tries++) await new Promise((resolve) => setTimeout(resolve, 100))
    expect(named(name)).toBe(0)
    screen.enter('fg')
    await screen.shows(/paddock: exit 137 \(128 \+ SIGKILL\)/)
  })

  it('kill -9 of the command leaves no process and no error at the prompt', async () => {
    using screen = new Tmux(stage)
    const words = command(stage.who, ['run', '--', 'sh', '-c', 'echo ready; sleep 1000'], under).slice(-6)
    screen.enter(`clear; ${shellWords(words)}`)
    await screen.shows(/^ready$/m)
    const commands = (): readonly number[] => processesWith('environ', `PADDOCK_HOME=${stage.env['PADDOCK_HOME']}`).filter(isCommand)
    const outer = commands().find((each, _, all) => !all.includes(statOf(each)?.parent ?? 0)) ?? 0
    expect(outer).toBeGreaterThan(1)
    process.kill(outer, 'SIGKILL')
    await screen.shows(/Killed/)
    await until(() => commands().length === 0)
    expect(screen.text).not.toMatch(/EIO/)
  })

  it('Ctrl-Z without a shell above loses nothing: the program goes on', async () => {
    script(stage, 'i=0; while :; do i=$((i+1)); echo "$i" > count; sleep 0.1; done')
    using screen = new Tmux(stage, stage.env, command(who, ['run', '--', 'sh', './script'], under))
    await screen.shows(/paddock: L2/)
    const count = (): number => Number(readFileSync(path.join(stage.project, 'count'), 'utf8') || 0)
    screen.press('C-z')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const before = count()
    await expect.poll(count, { timeout: 120_000 }).toBeGreaterThan(before)
  })

  it('Ctrl-Z in a script without a shell above keeps nothing stopped: the script goes on when the program has ended', async () => {
    const words = shellWords(command(who, ['run', '--', 'sh', '-c', 'echo ready; sleep 3'], under))
    using screen = new Tmux(stage, stage.env, ['sh', '-c', `${words}; echo "code $?"; sleep 1000`])
    await screen.shows(/^ready$/m)
    screen.press('C-z')
    await screen.shows(/^code 0$/m)
  })
})

/** A process whose leader is a zombie in /proc (exit(2) of only that thread) while another thread counts. */
const withoutFirstThread = `
import ctypes, os, signal, threading, time
def count():
    for i in range(1, 10000):
        with open('new', 'w') as file: file.write(str(i))
        os.replace('new', 'count')
        time.sleep(0.02)
if os.fork() == 0:
    threading.Thread(target=count).start()
    ctypes.CDLL(None).syscall({'x86_64': 60, 'aarch64': 93}[os.uname().machine], 0)
time.sleep(1)
os.kill(os.getpid(), signal.SIGSTOP)
print('goes on', flush=True)
time.sleep(60)
`

/**
 * A process whose own timers send it SIGCONT (timer_create(2), struct sigevent). It has many: a SIGSTOP drops the pending SIGCONT, and the
 * timer of that one ends.
 */
const continuesItself = `
import ctypes, os, signal, struct, time
signal.signal(signal.SIGCONT, lambda *_: None)
if os.fork() == 0:
    libc = ctypes.CDLL(None)
    try: create, settime = libc.timer_create, libc.timer_settime
    except AttributeError:
        librt = ctypes.CDLL('librt.so.1')
        create, settime = librt.timer_create, librt.timer_settime
    for each in range(20):
        timer = ctypes.c_void_p()
        create(1, struct.pack('Qii', 0, signal.SIGCONT, 0) + bytes(56), ctypes.byref(timer))
        settime(timer, 0, struct.pack('qqqq', 0, 300000000, 0, 300000000 + each * 10000000), None)
    while True: time.sleep(0.01)
print('goes on', flush=True)
time.sleep(2)
while True: os.kill(os.getpid(), signal.SIGSTOP)
`

/** Returns the number of processes that gave themselves this name (proc(5), /proc/PID/comm). */
function named(name: string): number {
  return readdirSync('/proc').filter((each) => {
    try {
      return /^\d+$/.test(each) && readFileSync(`/proc/${each}/comm`, 'latin1') === `${name}\n`
    } catch {
      return false
    }
  }).length
}

/** Returns true for a Node process whose script is the command. */
function isCommand(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1]?.endsWith('bin/paddock.mjs') === true
  } catch {
    return false
  }
}

function script(stage: Stage, text: string): void {
  writeFileSync(path.join(stage.project, 'script'), `${text}\n`)
}

/** Opens a shell in a terminal that runs this program in a cell, and then prints its exit code. */
function started(stage: Stage, under: Under, program: readonly string[], options: readonly string[] = []): Tmux {
  const screen = new Tmux(stage)
  // The shell already runs as that user.
  const words = command(stage.who, ['run', ...options, '--', ...program], under).slice(-(options.length + program.length + 4))
  screen.enter(`clear; ${shellWords(words)}; echo "code $?"`)
  return screen
}
