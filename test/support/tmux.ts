import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { becoming, type Stage } from './cli.ts'
import { freshDirectory } from './fresh-directory.ts'

const patienceMs = 60_000

/** A tmux terminal with an interactive bash, as the stage's user. It is closed at the end of `using`. */
export class Tmux implements Disposable {
  readonly #directory = freshDirectory('/tmp/paddock-tmux-')
  readonly #env: Readonly<Record<string, string>>

  /** @param program the program in the terminal; an interactive shell by default */
  constructor(stage: Stage, env: Readonly<Record<string, string>> = stage.env, program?: readonly string[]) {
    this.#env = { ...env, PS1: 'prompt> ', TERM: 'xterm-256color', HISTFILE: '' }
    const command = program ?? [...becoming(stage.who), 'bash', '--norc', '--noprofile', '-i']
    this.#run('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '40', '-c', stage.project, '--', ...command)
  }

  /** Sends keys by tmux's names (`C-c`, `Enter`), or text. */
  press(...keys: readonly string[]): void {
    this.#run('send-keys', ...keys)
  }

  /** Types a line for the shell, or for the program in it. */
  enter(line: string): void {
    this.#run('send-keys', '-l', line)
    this.press('Enter')
  }

  resize(columns: number, rows: number): void {
    this.#run('resize-window', '-x', String(columns), '-y', String(rows))
  }

  /** The visible lines and those that scrolled out, without empty lines. */
  get text(): string {
    return this.#run('capture-pane', '-p', '-J', '-S', '-500')
      .split('\n')
      .map((each) => each.trimEnd())
      .filter((each) => each !== '')
      .join('\n')
  }

  async shows(pattern: RegExp): Promise<string> {
    let seen = ''
    for (const since = Date.now(); Date.now() - since < patienceMs; await new Promise((resolve) => setTimeout(resolve, 100))) {
      seen = this.text
      if (pattern.test(seen)) return seen
    }
    throw new Error(`${pattern} never came; the screen has:\n${seen}`)
  }

  #run(...args: readonly string[]): string {
    return execFileSync('tmux', ['-S', path.join(this.#directory, 'socket'), ...args], { env: { ...this.#env }, encoding: 'utf8' })
  }

  [Symbol.dispose](): void {
    spawnSync('tmux', ['-S', path.join(this.#directory, 'socket'), 'kill-server'])
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

/** Quotes words for bash. */
export function shellWords(words: readonly string[]): string {
  return words.map((each) => (/^[\w./:=@%+-]+$/.test(each) ? each : `'${each.replaceAll("'", `'\\''`)}'`)).join(' ')
}
