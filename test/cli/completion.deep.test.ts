import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { command, everyone, makeStage, paddock } from '../support/cli.ts'
import { going } from '../support/going.ts'
import { shellWords, Tmux } from '../support/tmux.ts'

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

  it('all three complete presets, running cells, copies and contests', async () => {
    using stage = makeStage(who)
    for (const each of ['trial', 'contests/two words', 'contests/one']) stage.put(`${each}/contest.yaml`, '')
    stage.put('other/file', '')
    stage.own()
    await paddock(stage, ['run', '--copy', '--egress', 'off', '--', 'touch', 'made'])
    const copies = JSON.parse((await paddock(stage, ['review', '--list', '--json'])).stdout) as { copies: { id: string }[] }
    const copy = copies.copies[0]?.id ?? 'none'
    const [done = 'none'] = (await paddock(stage, ['completion-values', 'ended-work'])).stdout
      .split('\n')
      .filter((each) => /^[0-9a-f]{12}$/.test(each))
    const run = going(stage, ['run', '--egress', 'off', '--', 'sh', '-c', 'echo started; cat'])
    await run.says('started')
    const ps = JSON.parse((await paddock(stage, ['ps', '--json'])).stdout) as { cells: { id: string }[] }
    const cell = ps.cells[0]?.id ?? 'none'

    const [bash, fish, zsh] = await Promise.all(
      ['bash', 'fish', 'zsh'].map(async (each) => (await paddock(stage, ['completion', each])).stdout),
    )
    const bin = path.join(stage.root, 'bin')
    const [program = '', ...args] = command(stage.who, [])
    mkdirSync(bin)
    writeFileSync(path.join(bin, 'paddock'), `#!/bin/sh\nexec ${shellWords([program, ...args])} "$@"\n`, { mode: 0o755 })
    const inShell = (shell: readonly string[], script: string): string[] =>
      execFileSync(shell[0] ?? '', [...shell.slice(1), '-c', script], {
        cwd: stage.project,
        encoding: 'utf8',
        env: { ...stage.env, PATH: `${bin}:${process.env['PATH']}` },
      })
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0] ?? '')
    const shells = {
      bash: (...words: readonly string[]) =>
        inShell(
          ['bash'],
          `${bash}\nCOMP_WORDS=(${shellWords(words)}); COMP_CWORD=${words.length - 1}; _paddock; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ),
      fish: (...words: readonly string[]) => inShell(['fish', '--no-config'], `${fish}\ncomplete -C ${JSON.stringify(words.join(' '))}`),
    }
    for (const completed of Object.values(shells)) {
      expect(completed('paddock', 'run', '--preset', 'py')).toEqual(['pypi'])
      expect(completed('paddock', 'run', '--preset', '')).not.toContain('--preset')
      for (const each of ['stop', 'logs']) expect(completed('paddock', each, cell.slice(0, 2))).toEqual([cell])
      for (const each of ['review', 'apply', 'discard']) expect(completed('paddock', each, copy.slice(0, 2))).toEqual([copy])
      expect(completed('paddock', 'attest', 'make', done.slice(0, 9))).toEqual([done])
      expect(completed('paddock', 'audit', 'show', cell.slice(0, 9))).toEqual([cell])
      expect(completed('paddock', 'attest', 'verify', 'othe').map((each) => each.replace(/\/$/, ''))).toEqual([
        shells.bash === completed ? '' : 'other',
      ])
      expect(completed('paddock', 'contest', 'run', 'tr')).toContain('trial')
      expect(completed('paddock', 'contest', 'report', '')).toEqual(expect.arrayContaining(['trial', 'contests/one']) as string[])
      expect(completed('paddock', 'contest', 'run', 'contests/o')).toContain('contests/one')
    }
    expect(shells.bash('paddock', 'contest', 'run', 'contests/t')).toEqual(['contests/two\\ words'])
    expect(shells.bash('paddock', 'contest', 'run', 'oth')).toEqual([''])

    const script = path.join(stage.home, 'paddock.zsh')
    writeFileSync(script, zsh ?? '')
    stage.own()
    using terminal = new Tmux(stage, { ...stage.env, PATH: `${bin}:${stage.env['PATH']}` }, ['zsh', '-f', '-i'])
    terminal.enter(`cd ${stage.project}; autoload -Uz compinit && compinit -D -u && . ${script} && print rea''dy`)
    await terminal.shows(/^ready$/m)
    for (const [typed, shown] of [
      ['paddock run --preset py', 'paddock run --preset pypi'],
      [`paddock stop ${cell.slice(0, 4)}`, `paddock stop ${cell}`],
      [`paddock discard ${copy.slice(0, 4)}`, `paddock discard ${copy}`],
      ['paddock contest run tri', 'paddock contest run trial'],
    ] as const) {
      terminal.press('C-u')
      terminal.press('-l', typed)
      terminal.press('Tab')
      await terminal.shows(new RegExp(shown))
    }
    run.child.stdin?.end()
    await run.ended
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
