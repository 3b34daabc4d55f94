import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage, type Who } from '../../support/cli.ts'
import { going, killed } from '../../support/going.ts'

/** Files of a home that programs obey or run by themselves, and ones that they find above a project. */
const acting = [
  ...['.gitconfig', '.config/git/config', '.config/git/hooks/pre-commit', '.npmrc', '.bashrc', '.profile', '.zshrc', '.ssh/config'],
  ...['.local/bin/git', 'bin/npm', '.cargo/config.toml', '.cargo/bin/cargo', '.local/lib/python3/site-packages/usercustomize.py'],
  ...['.claude/settings.json', '.claude/hooks/start.sh', '.claude/CLAUDE.md', '.claude.json', '.claude/projects/p/memory/MEMORY.md'],
  ...['.codex/config.toml', '.codex/AGENTS.md', '.gemini/settings.json', '.config/opencode/opencode.json', '.gemini/tmp/bin/rg'],
  ...['node_modules/left/index.js', 'CLAUDE.md', 'package.json', '.unknown-tool/plugin'],
]
/** Data of agents and caches, which all runs share. */
const data = [
  '.claude/projects/p/01234567-89ab-cdef-0123-456789abcdef.jsonl',
  '.claude/history.jsonl',
  '.codex/sessions/2026/01/02/rollout-x.jsonl',
  '.gemini/tmp/p/chats/session-1.json',
  '.local/share/opencode/storage/one.json',
  '.cache/tool/entry',
]

const write = (files: readonly string[], text: string): string =>
  files.map((each) => `mkdir -p "$(dirname ~/'${each}')" && printf %s '${text}' > ~/'${each}'`).join('\n')
const wider = ['--env', 'TOKEN=x']
const list = 'cd ~ && find . ! -type d | sed "s,^./,," | sort'

function staged(who: Who): Stage {
  const stage = makeStage(who)
  onTestFinished(() => stage[Symbol.dispose]())
  return stage
}

async function files(stage: Stage, args: readonly string[] = []): Promise<readonly string[]> {
  const ran = await inCell(stage, list, { args })
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  return ran.stdout.split('\n').filter(Boolean)
}

describe.each(everyone)('the private home of several runs, as %s', (who) => {
  test('what a run left acts in no run with wider rights, data stays, and everything comes back', async () => {
    const stage = staged(who)
    await inCell(stage, write([...acting, ...data], 'narrow'), { args: ['--egress', 'off'] })
    expect(await files(stage, ['--egress', 'off'])).toEqual([...acting, ...data].sort())
    const ran = await paddock(stage, ['run', ...wider, '--', 'sh', '-c', list])
    expect(ran.stdout.split('\n').filter(Boolean)).toEqual([...data].sort())
    expect(ran.stderr).toMatch(
      /set aside in the private home, because runs with other rights wrote it: ~\/\S+, ~\/\S+, ~\/\S+ and \d+ more \(kept in \/.*\/\.command\.rights\); to use it: --keep-home/,
    )
    const audit = await paddock(stage, ['audit', 'tail', '--kind', 'cell.home', '--json'])
    expect(audit.stdout).toContain('.gitconfig')
    // The run with wider rights has settings of its own, which a narrower one may use and change only for itself.
    await inCell(stage, write(['.gitconfig', '.wide'], 'wide'), { args: wider })
    const narrow = await inCell(stage, `${list}; cat ~/.gitconfig`, { args: ['--egress', 'off'] })
    expect(narrow.stdout).toBe(`${[...acting, ...data, '.wide'].sort().join('\n')}\nwide`)
    await inCell(stage, write(['.gitconfig', '.wide'], 'narrow again'), { args: ['--egress', 'off'] })
    expect((await inCell(stage, 'cat ~/.gitconfig ~/.wide', { args: wider })).stdout).toBe('widewide')
    expect((await inCell(stage, 'cat ~/.gitconfig ~/.wide', { args: ['--egress', 'off'] })).stdout).toBe('narrow againnarrow again')
  })

  test('the same options again and again change nothing and print nothing', async () => {
    const stage = staged(who)
    await inCell(stage, write(acting, 'own'), { args: wider })
    for (let at = 0; at < 3; at++) {
      const ran = await paddock(stage, ['run', ...wider, '--', 'sh', '-c', list])
      expect(ran.stdout.split('\n').filter(Boolean)).toEqual([...acting].sort())
      expect(ran.stderr).not.toContain('set aside')
    }
  })

  test.each([
    ['a host', ['--allow', 'one.example']],
    ['a mount', ['--ro', '/etc/hostname']],
    ['a mount that is writable', ['--rw', 'ROOT/other']],
    ['a variable', ['--env', 'NAME=1']],
    ['a secret', ['--secret', 'KEY=env:SECRET@one.example']],
    ['a port', ['--publish', '45678']],
    ['a guarantee that is given up', ['--allow-degraded', 'run-later']],
  ])('%s makes rights wider', async (_, args) => {
    const stage = staged(who)
    stage.put('../other/x', '')
    stage.env['SECRET'] = 'a-secret-of-the-test'
    stage.own()
    const given = args.map((each) => each.replace('ROOT', stage.root))
    await inCell(stage, write(['.gitconfig'], 'narrow'))
    expect((await inCell(stage, 'cat ~/.gitconfig', { args: given })).stdout).toBe('')
    await inCell(stage, write(['.npmrc'], 'wide'), { args: given })
    expect((await inCell(stage, 'cat ~/.gitconfig ~/.npmrc')).stdout).toBe('narrowwide')
  })

  test('links and odd permissions do not bypass it', async () => {
    const stage = staged(who)
    const tricks = [
      'ln -s .data/config ~/.config && mkdir -p ~/.data/config/git && printf x > ~/.data/config/git/config',
      'mkdir -p ~/.local/bin && printf x > ~/.local/bin/git && chmod 000 ~/.local/bin/git ~/.local/bin ~/.local',
      'ln -s /etc/passwd ~/.npmrc; mkfifo ~/.fifo',
      'mkdir -p ~/.claude && ln -s ../.data ~/.claude/projects',
      `printf x > "$HOME/$(printf '.odd\\377')"`,
    ]
    await inCell(stage, tricks.join('\n'), { args: ['--egress', 'off'] })
    expect(await files(stage, wider)).toEqual([])
    await inCell(stage, 'rm ~/.config; mkdir -p ~/.config/git; printf y > ~/.config/git/config', { args: ['--egress', 'off'] })
    expect(await files(stage, wider)).toEqual([])
    expect(
      (await inCell(stage, 'chmod -R u+rwx ~/.local; cat ~/.config/git/config ~/.local/bin/git', { args: ['--egress', 'off'] })).stdout,
    ).toBe('yx')
  })

  test('after a killed run, what it wrote is still its own', async () => {
    const stage = staged(who)
    const run = going(stage, ['run', '--quiet', '--egress', 'off', '--', 'sh', '-c', 'echo x > ~/.gitconfig; echo written; sleep 100'])
    await run.says('written')
    await killed(run)
    expect(await files(stage, wider)).toEqual([])
  })

  test('without a record, nobody is known to have written what is there', async () => {
    const stage = staged(who)
    await inCell(stage, write(['.gitconfig'], 'wide'), { args: wider })
    const homes = path.join(stage.root, 'paddock/state/homes')
    const place = path.join(homes, readdirSync(homes)[0] ?? '')
    rmSync(path.join(place, '.command.rights/home.json'))
    expect(await files(stage, wider)).toEqual([])
    expect(readFileSync(path.join(place, '.command.rights/nobody/.gitconfig'), 'utf8')).toBe('wide')
  })

  test('a cell with other rights has a temporary home while one runs in the same home', async () => {
    const stage = staged(who)
    const run = going(stage, ['run', '--quiet', '--egress', 'off', '--', 'sh', '-c', 'echo up; cat'])
    await run.says('up')
    expect((await inCell(stage, 'echo too', { args: ['--egress', 'off'] })).stdout).toBe('too\n')
    const other = await paddock(stage, ['run', ...wider, '--', 'sh', '-c', 'touch ~/.mine; ls -A ~'])
    expect([other.code, other.stdout, other.stderr]).toEqual([
      0,
      '.mine\n',
      expect.stringContaining('a cell with other rights is running in the private home, so this one has a temporary home'),
    ])
    const kept = await paddock(stage, ['run', ...wider, '--keep-home', '--', 'true'])
    expect([kept.code, kept.stderr]).toEqual([
      125,
      expect.stringContaining('BUSY: A cell with other rights is running in the same private home.\n  hint: '),
    ])
    expect((await inCell(stage, 'echo fresh', { args: [...wider, '--ephemeral'] })).stdout).toBe('fresh\n')
    run.child.stdin?.end()
    await run.ended
    expect((await inCell(stage, 'echo after', { args: wider })).stdout).toBe('after\n')
  })

  test('another value of a variable is another right', async () => {
    const stage = staged(who)
    await inCell(stage, write(['.gitconfig'], 'worthless'), { args: ['--env', 'TOKEN=worthless'] })
    expect((await inCell(stage, 'cat ~/.gitconfig', { args: ['--env', 'TOKEN=worthless'] })).stdout).toBe('worthless')
    expect((await inCell(stage, 'cat ~/.gitconfig', { args: ['--env', 'TOKEN=real'] })).stdout).toBe('')
  })

  test('--keep-home uses what is there, and from then on it belongs to these rights', async () => {
    const stage = staged(who)
    await inCell(stage, write(['.gitconfig'], 'narrow'))
    const ran = await paddock(stage, ['run', ...wider, '--keep-home', '--', 'sh', '-c', 'cat ~/.gitconfig'])
    expect([ran.stdout, ran.stderr.includes('set aside')]).toEqual(['narrow', false])
    expect((await inCell(stage, 'cat ~/.gitconfig', { args: wider })).stdout).toBe('narrow')
    expect((await paddock(stage, ['run', '--keep-home', '--ephemeral', '--', 'true'])).code).toBe(2)
  })

  test('paddock reset deletes one, or all of a project, but none in which a cell runs', async () => {
    const stage = staged(who)
    await inCell(stage, write(['.gitconfig'], 'narrow'))
    await inCell(stage, 'true', { args: wider })
    const homes = path.join(stage.root, 'paddock/state/homes')
    const [project = ''] = readdirSync(homes)
    const left = (): readonly string[] => (existsSync(path.join(homes, project)) ? readdirSync(path.join(homes, project)).sort() : [])
    expect(left()).toEqual(['.command.rights', 'command'])
    expect((await paddock(stage, ['reset', '.', 'claude'])).stderr).toMatch(/NOT_FOUND: claude has no private home in .*\n.*: command\n/)
    const run = going(stage, ['run', '--', 'sh', '-c', 'echo ready; sleep 60'])
    await run.says('ready')
    const busy = await paddock(stage, ['reset'])
    expect([busy.code, busy.stderr]).toEqual([expect.any(Number), expect.stringMatching(/BUSY: A cell is running in the private home/)])
    expect(left()).toEqual(['.command.rights', 'command'])
    run.child.kill('SIGTERM')
    await run.ended
    const done = await paddock(stage, ['reset', stage.project, 'command'])
    expect([done.code, done.stderr]).toEqual([0, `paddock: deleted in ${stage.project}: the private home of command\n`])
    expect(left()).toEqual([])
    expect((await paddock(stage, ['reset'])).stderr).toBe(`paddock: no agent has a private home in ${stage.project}\n`)
    expect((await paddock(stage, ['reset', 'claude'])).stderr).toContain('paddock reset . claude')
    expect((await inCell(stage, list)).stdout).toBe('')
  })

  test('--ephemeral is empty, and leaves nothing', async () => {
    const stage = staged(who)
    await inCell(stage, write(['.gitconfig'], 'own'))
    expect((await inCell(stage, `${list}; echo x > ~/left`, { args: ['--ephemeral'] })).stdout).toBe('')
    expect(await files(stage)).toEqual(['.gitconfig'])
    expect(existsSync(path.join(stage.home, 'left'))).toBe(false)
  })
})
