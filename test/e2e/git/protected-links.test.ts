import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { becoming, everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

/** Links in place of entries that tools obey, with the file behind each that must not change (null: it does not exist). */
const links: readonly (readonly [name: string, to: (stage: Stage) => string, behind: string | null])[] = [
  ['.claude', () => '../shared/claude', '../shared/claude/settings.json'],
  ['.cursor', () => '.agents/cursor', '.agents/cursor/settings.json'],
  ['.vscode', ({ project }) => path.join(project, '.agents/vscode'), '.agents/vscode/settings.json'],
  ['.gemini', () => '.agents/to-gemini/inner', '.agents/gemini/inner/settings.json'],
  ['.idea', () => 'sub/../.agents/idea', '.agents/idea/settings.json'],
  ['.envrc', () => 'missing/env', null],
  ['.mcp.json', () => '../shared/mcp.json', '../shared/mcp.json'],
]

function linked(stage: Stage): void {
  for (const each of ['.agents/cursor', '.agents/vscode', '.agents/gemini/inner', '.agents/idea']) stage.put(`${each}/settings.json`, 'own')
  stage.put('sub/a', '')
  symlinkSync('gemini', path.join(stage.project, '.agents/to-gemini'))
  mkdirSync(path.join(stage.root, 'shared/claude'), { recursive: true })
  for (const each of ['claude/settings.json', 'mcp.json']) execFileSync('sh', ['-c', `printf own > ${stage.root}/shared/${each}`])
  for (const [name, to] of links) symlinkSync(to(stage), path.join(stage.project, name))
  stage.own()
}

describe.each(everyone)('links in place of protected entries, as %s', (who) => {
  const attempts = links.flatMap(([name]) => [
    `echo bad > ${name}/settings.json`,
    `echo bad > ${name}/new`,
    `echo bad > ${name}`,
    `rm ${name}`,
    `ln -sfn /tmp ${name}`,
    `mv ${name} moved-${name}`,
  ])
  const around = [
    'mv .agents moved',
    'rm .agents/to-gemini',
    'ln -sfn /tmp .agents/to-gemini',
    'mkdir -p missing',
    'echo bad > missing/env',
  ]
  const line = [...attempts, ...around].map((each) => `(${each})`).join('; ')

  test.each([['in the project', []] as const, ['in a copy', ['--copy']] as const])(
    'stay as they are, with what they lead to, %s',
    async (_, args) => {
      using stage = makeStage(who)
      linked(stage)
      const ran = await inCell(stage, `${line}; echo work > result`, { args: [...args] })
      expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('bad')])
      if (args.length > 0) expect((await paddock(stage, ['review'])).stdout).toMatch(/^added {5}result · \+1 -0\n[^·]*$/)
      else expect(readFileSync(path.join(stage.project, 'result'), 'utf8')).toBe('work\n')
      for (const [name, to, behind] of links) {
        expect(readlinkSync(path.join(stage.project, name)), name).toBe(to(stage))
        if (behind !== null) expect(readFileSync(path.join(stage.project, behind), 'utf8'), name).toBe('own')
      }
      expect(lstatSync(path.join(stage.project, 'missing'), { throwIfNoEntry: false })).toBeUndefined()
    },
  )

  test('that lead into another place that the cell may write to are refused', async () => {
    using stage = makeStage(who)
    linked(stage)
    const refused = await inCell(stage, 'true', { args: ['--rw', path.join(stage.root, 'shared')] })
    expect([refused.code, refused.stderr]).toEqual([
      125,
      expect.stringMatching(/leads to \S+shared\S*, which the cell may write to, .*\n {2}hint: .*--allow-degraded run-later/),
    ])
    expect((await inCell(stage, 'true', { args: ['--rw', path.join(stage.root, 'shared'), '--allow-degraded', 'run-later'] })).code).toBe(0)
  })

  test('are held when git switches to a branch with other links', async () => {
    using stage = makeStage(who)
    linked(stage)
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
    const git = (...args: readonly string[]): string => {
      const [program = 'git', ...rest] = [...becoming(who), 'git', '-C', stage.project, ...identity, ...args]
      return execFileSync(program, rest, { encoding: 'utf8', env: stage.env })
    }
    git('init', '-q')
    git('add', '-A')
    git('commit', '-qm', 'links')
    git('switch', '-qc', 'other')
    execFileSync('ln', ['-sfn', 'elsewhere', path.join(stage.project, '.claude')])
    stage.own()
    git('commit', '-qam', 'another link')
    git('switch', '-q', '-')
    stage.own()
    const ran = await inCell(
      stage,
      `git switch -q other && echo 2 > sub/a && git ${identity.join(' ')} commit -qam work && git status --short`,
    )
    expect([ran.code, ran.stdout]).toEqual([0, ''])
    expect(git('show', '--stat', '--format=', 'HEAD')).toMatch(/^ sub\/a \| 1 \+\n 1 file/)
    expect(ran.stderr).toContain('.claude')
    expect(readlinkSync(path.join(stage.project, '.claude'))).toBe('../shared/claude')
    expect(git('status', '--short')).toBe(' M .claude\n')
  })
})
