import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock } from '../support/cli.ts'
import { Tmux } from '../support/tmux.ts'

const manual = path.join(import.meta.dirname, '../../dist/man')

describe.each(everyone)('completion and manual pages in real shells, as %s', (who) => {
  it('bash completes commands, options and agents', async () => {
    using stage = makeStage(who)
    const script = (await paddock(stage, ['completion', 'bash'])).stdout
    const completed = (...words: readonly string[]): string[] => {
      const run = `${script}\nCOMP_WORDS=(${words.map((each) => `'${each}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _paddock; printf '%s\\n' "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', run], { encoding: 'utf8' }).trim().split('\n')
    }
    expect(completed('paddock', 'cont')).toEqual(['contest'])
    expect(completed('paddock', 'contest', 're')).toEqual(expect.arrayContaining(['report', 'resume', 'refine', 'rejudge']) as string[])
    expect(completed('paddock', 'contest', 'run', 'dir', '--dry')).toEqual(['--dry-run'])
    expect(completed('paddock', 'run', 'co')).toEqual(expect.arrayContaining(['codex', 'command']) as string[])
    expect(completed('paddock', 'run', '--', 'ma')).toEqual([''])
  })

  it('fish completes the same, with what each is for', async () => {
    using stage = makeStage(who)
    const script = (await paddock(stage, ['completion', 'fish'])).stdout
    const completed = (line: string): string[] =>
      execFileSync('fish', ['--no-config', '-c', `${script}\ncomplete -C ${JSON.stringify(line)}`], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: stage.home },
      })
        .trim()
        .split('\n')
    expect(completed('paddock cont')).toEqual(['contest\tgive several agents one brief, and have others judge their sealed work blind'])
    expect(completed('paddock contest run --dry')).toEqual([expect.stringMatching(/^--dry-run\t/) as string])
    expect(completed('paddock run gem')).toEqual(['gemini'])
    expect(completed('paddock suite ')).toEqual(expect.arrayContaining([expect.stringMatching(/^import\t/) as string]) as string[])
  })

  it('zsh completes at its prompt', async () => {
    using stage = makeStage(who)
    const script = path.join(stage.home, 'paddock.zsh')
    writeFileSync(script, (await paddock(stage, ['completion', 'zsh'])).stdout)
    stage.own()
    using terminal = new Tmux(stage, stage.env, ['zsh', '-f', '-i'])
    terminal.enter(`autoload -Uz compinit && compinit -D -u && . ${script} && print rea''dy`)
    await terminal.shows(/^ready$/m)
    terminal.press('-l', 'paddock contest rej')
    terminal.press('Tab')
    await terminal.shows(/paddock contest rejudge/)
    terminal.press('-l', '--', '--js')
    terminal.press('Tab')
    await terminal.shows(/paddock contest rejudge --json/)
  })

  it('man shows every page, without a warning', () => {
    for (const each of readdirSync(manual)) {
      const file = path.join(manual, each)
      const said = execFileSync('man', ['--warnings', '-l', file], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], MANPAGER: 'cat', LC_ALL: 'C.UTF-8', MANWIDTH: '80' },
        stdio: 'pipe',
      })
      expect(said).toContain('EXIT STATUS')
      expect(said).toContain('paddock')
    }
    const run = execFileSync('man', ['-l', path.join(manual, 'paddock-run.1')], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], MANPAGER: 'cat', LC_ALL: 'C.UTF-8', MANWIDTH: '100' },
    })
    expect(run).toContain('--egress <policy>')
    expect(run).toContain('(by default: allowlist)')
  })
})
