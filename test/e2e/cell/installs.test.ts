import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { everyone, isRoot, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

/** A stage with programs of the user: one in `.local/bin`, and a version manager. */
function withTools(who: Parameters<typeof makeStage>[0]): Stage {
  const stage = makeStage(who)
  for (const each of ['.local/bin', '.local/lib/python3', '.nvm/versions/v1/bin'])
    mkdirSync(path.join(stage.home, each), { recursive: true })
  tool(stage, '.local/bin/mine', 'mine')
  tool(stage, '.nvm/versions/v1/bin/node1', 'node1')
  stage.own()
  return stage
}

function tool(stage: Stage, file: string, says: string): void {
  writeFileSync(path.join(stage.home, file), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 })
}

async function ran(stage: Stage, script: string, options: readonly string[] = []) {
  const bin = path.join(stage.home, '.local/bin')
  const done = await paddock(stage, ['run', ...options, '--', 'sh', '-c', script], {
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  })
  return { ...done, said: done.stderr.replace(/^paddock: .*\n/gm, '') }
}

const make = (file: string, says: string): string => `printf '#!/bin/sh\\necho ${says}\\n' > ${file} && chmod 755 ${file}`

const layersOf = (stage: Stage): string => execFileSync('find', [stage.root, '-path', '*.rights/tools*']).toString()

describe.each(everyone)('programs that a cell installs where the user does, as %s', (who) => {
  it('they work, stay for the next cell, and are not on the host', async () => {
    using stage = withTools(who)
    const install = [
      make('~/.local/bin/new', 'new'),
      'mkdir -p ~/.local/lib/python3/site && echo x > ~/.local/lib/python3/site/a.py',
      make('~/.nvm/versions/v1/bin/node1', 'changed'),
      'rm ~/.local/bin/mine',
      'mv ~/.local/lib/python3/site ~/.local/lib/python3/moved',
    ]
    // Long enough for its disk space to be measured.
    const first = await ran(stage, [...install, 'new', '~/.nvm/versions/v1/bin/node1', 'sleep 4'].join(' && '))
    expect([first.code, first.stdout, first.said]).toEqual([0, 'new\nchanged\n', ''])
    const next = await ran(stage, 'new; ~/.nvm/versions/v1/bin/node1; ls ~/.local/bin ~/.local/lib/python3/moved')
    expect(next.stdout.split('\n').filter((each) => each !== '' && !each.endsWith(':'))).toEqual(['new', 'changed', 'new', 'a.py'])
    expect(readdirSync(path.join(stage.home, '.local/bin'))).toEqual(['mine'])
    expect(readdirSync(path.join(stage.home, '.local/lib/python3'))).toEqual([])
    expect(readFileSync(path.join(stage.home, '.nvm/versions/v1/bin/node1'), 'utf8')).toContain('echo node1')
    expect(layersOf(stage)).not.toContain('work-')
  })

  it('a program that the user installs later is there too', async () => {
    using stage = withTools(who)
    await ran(stage, make('~/.local/bin/new', 'new'))
    tool(stage, '.local/bin/later', 'later')
    stage.own()
    expect((await ran(stage, 'later; new; mine')).stdout).toBe('later\nnew\nmine\n')
  })

  it('a cell with more rights does not have them, and one with fewer does', async () => {
    using stage = withTools(who)
    const more = ['--allow', 'a.example:443']
    await ran(stage, make('~/.local/bin/mine', 'narrow'))
    expect((await ran(stage, 'mine', more)).stdout).toBe('mine\n')
    await ran(stage, `${make('~/.local/bin/mine', 'wide')} && ${make('~/.local/bin/wide', 'wide')}`, more)
    expect((await ran(stage, 'mine; wide')).stdout).toBe('narrow\nwide\n')
    expect((await ran(stage, 'mine; wide', ['--allow', 'b.example:443'])).stdout).toBe('mine\n')
  })

  it('without a home that stays they vanish', async () => {
    using stage = withTools(who)
    expect((await ran(stage, `${make('~/.local/bin/new', 'new')} && new`, ['--ephemeral'])).stdout).toBe('new\n')
    expect((await ran(stage, 'ls ~/.local/bin', ['--ephemeral'])).stdout).toBe('mine\n')
    expect((await ran(stage, 'ls ~/.local/bin')).stdout).toBe('mine\n')
  })

  it('reset removes them', async () => {
    using stage = withTools(who)
    await ran(stage, make('~/.local/bin/new', 'new'))
    expect(layersOf(stage)).toContain('/changes/new')
    expect((await paddock(stage, ['reset', stage.project])).code).toBe(0)
    expect(layersOf(stage)).toBe('')
    expect((await ran(stage, 'ls ~/.local/bin')).stdout).toBe('mine\n')
  })

  it('what a killed Paddock left for them is removed by the next start', async () => {
    using stage = withTools(who)
    const child = startPaddock(stage, ['run', '--', 'sh', '-c', 'echo up > up; sleep 60'])
    const ended = once(child, 'exit')
    while (!existsSync(path.join(stage.project, 'up'))) await setTimeout(50)
    expect(layersOf(stage)).toContain('/work-')
    child.kill('SIGKILL')
    await ended
    expect((await ran(stage, 'true')).code).toBe(0)
    expect(layersOf(stage)).not.toContain('/work-')
  })

  it('a toolchain with something mounted below it is read-only, and so is that', async ({ skip }) => {
    skip(!isRoot, 'mounting needs root')
    using stage = withTools(who)
    const [from, below] = [path.join(stage.root, 'elsewhere'), path.join(stage.home, '.nvm/versions')]
    mkdirSync(path.join(from, 'v2'), { recursive: true })
    writeFileSync(path.join(from, 'v2/tool'), 'of the host')
    stage.own()
    execFileSync('mount', ['--bind', from, below])
    try {
      for (const file of ['new', 'versions/new', 'versions/v2/tool']) {
        const { code, said } = await ran(stage, `cat ~/.nvm/versions/v2/tool; echo x > ~/.nvm/${file}`)
        expect([code, said]).toEqual([2, expect.stringContaining('Read-only file system')])
      }
    } finally {
      execFileSync('umount', [below])
    }
    expect([readdirSync(from), readFileSync(path.join(from, 'v2/tool'), 'utf8')]).toEqual([['v2'], 'of the host'])
  })
})
