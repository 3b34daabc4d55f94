import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { becoming, both, makeStage, paddock, type Stage } from '../../support/cli.ts'

const commit = 'git -c user.name=x -c user.email=x@example.com commit -q --allow-empty -m one'
const last = (stderr: string): readonly string[] => stderr.split('\n').filter((each) => each.includes('not kept'))
const kept = (hooks: string): readonly string[] => [
  `paddock: not kept, because hooks run on your machine: ${hooks}; to install hooks, run outside of the cell what installs them, for example: pre-commit install`,
]

function onHost(stage: Stage, script: string): string {
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-ec', script]
  return execFileSync(program, rest, { cwd: stage.project, env: stage.env, encoding: 'utf8' })
}

describe.each(both)('hooks of a cell, as %s', (who) => {
  it.each([
    ['in .git/hooks', '--template=/usr/share/git-core/templates', []],
    ['in a missing .git/hooks', '--template=', []],
    ['in a copy of the project', '--template=', ['--copy']],
  ])('%s run in the cell, are named, and do not reach the host', async (_, template, options) => {
    using stage = makeStage(who)
    stage.put('a', '1\n')
    stage.own()
    onHost(stage, `git init -q ${template} .; git add -A; ${commit}`)
    const before = onHost(stage, 'ls -lAR --time-style=full-iso .git/hooks 2>/dev/null || true')
    const script = `echo 'echo the hook ran' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; ${commit}`
    const ran = await paddock(stage, ['run', ...options, '--', 'sh', '-ec', script])
    expect([ran.code, `${ran.stdout}${ran.stderr}`]).toEqual([0, expect.stringContaining('the hook ran')])
    expect(last(ran.stderr)).toEqual(kept('.git/hooks/pre-commit'))
    expect(onHost(stage, 'ls -lAR --time-style=full-iso .git/hooks 2>/dev/null || true')).toBe(before)
    expect(existsSync(path.join(stage.project, '.git/hooks'))).toBe(template !== '--template=')
  })

  it('that are changed, removed and made in several repositories are named, and those that stay the same are not', async () => {
    using stage = makeStage(who)
    for (const each of ['same', 'changed', 'removed', 'moved']) stage.put(`.git/hooks/${each}`, `echo ${each}\n`)
    stage.put('.husky/_/.gitignore', '*\n')
    stage.put('.husky/_/h', 'echo h\n')
    stage.put('nested/a', '1\n')
    chmodSync(path.join(stage.project, '.git/hooks/same'), 0o755)
    stage.own()
    onHost(stage, 'git init -q --template= .; git init -q --template= nested; git config core.hooksPath .husky/_')
    const script = `cd .git/hooks; echo 'echo same' > same; echo more >> changed; rm removed; mv moved to; cd ../..
      echo more >> .husky/_/h; echo 1 > nested/.git/hooks/pre-push; mkfifo .git/hooks/pipe; ln -s /etc/passwd .git/hooks/link`
    const ran = await paddock(stage, ['run', '--report', path.join(stage.root, 'home/report.json'), '--', 'sh', '-ec', script])
    expect(ran.code, ran.stderr).toBe(0)
    const { changes } = JSON.parse(onHost(stage, `cat ${stage.root}/home/report.json`)) as { changes: { discarded: string[] } }
    expect(changes.discarded.toSorted()).toEqual([
      ...['changed', 'link', 'moved', 'pipe', 'removed', 'to'].map((each) => `.git/hooks/${each}`),
      ...['.husky/_/h', 'nested/.git/hooks/pre-push'],
    ])
    expect(last(ran.stderr)).toEqual(kept('.husky/_/h, 6 in .git/hooks/, nested/.git/hooks/pre-push'))
    expect(readdirSync(path.join(stage.project, '.git/hooks')).toSorted()).toEqual(['changed', 'moved', 'removed', 'same'])
    expect(stage.read('.git/hooks/changed')).toBe('echo changed\n')
  })

  it('are not mentioned if there are none', async () => {
    using stage = makeStage(who)
    stage.put('a', '1\n')
    stage.own()
    onHost(stage, 'git init -q .')
    expect(last((await paddock(stage, ['run', '--', 'sh', '-ec', commit])).stderr)).toEqual([])
  })

  it('a directory of hooks that a program of the host replaces meanwhile is read-only, and the cell goes on', async () => {
    using stage = makeStage(who)
    stage.put('.git/hooks/pre-commit', 'echo 1\n')
    stage.own()
    onHost(stage, 'git init -q --template= .')
    const script = 'touch ready; until [ -e go ]; do sleep 0.1; done; sleep 0.5; cat .git/hooks/pre-commit; echo x > .git/hooks/pre-push'
    const running = paddock(stage, ['run', '--', 'sh', '-c', script])
    onHost(
      stage,
      'until [ -e ready ]; do sleep 0.1; done; rm -r .git/hooks; mkdir .git/hooks; echo "echo 2" > .git/hooks/pre-commit; touch go',
    )
    const ran = await running
    expect([ran.stdout, ran.stderr]).toEqual(['echo 2\n', expect.stringMatching(/Read-only file system[\s\S]*paddock: exit 2 after/)])
  })

  it('that are deep directories are removed, and the next cell starts', async () => {
    using stage = makeStage(who)
    stage.own()
    onHost(stage, 'git init -q .')
    const deep = 'cd .git/hooks; exec perl -e "for (1..3000) { mkdir q(d) or die; chdir q(d) or die }"'
    const bin = path.join(import.meta.dirname, '../../../bin/paddock.mjs')
    const few = `ulimit -n 2000; '${process.execPath}' '${bin}' run --quiet -- sh -c '${deep}' && '${process.execPath}' '${bin}' run --quiet -- echo next`
    expect(onHost(stage, few)).toBe('next\n')
  })

  it('count for --disk', async () => {
    using stage = makeStage(who)
    stage.own()
    onHost(stage, 'git init -q .')
    const ran = await paddock(stage, ['run', '--disk', '20MiB', '--', 'sh', '-c', 'head -c 60M /dev/zero > .git/hooks/x; sleep 60'])
    expect([ran.code, ran.stderr]).toEqual([125, expect.stringContaining('wrote more than 20 MiB')])
  })

  it('are compared in a short time, and some of many are named', async () => {
    using stage = makeStage(who)
    stage.own()
    onHost(stage, 'git init -q --template= .')
    const ran = await paddock(stage, ['run', '--', 'sh', '-c', 'cd .git/hooks; seq 3000 | xargs -n 500 truncate -s 4M'])
    expect(last(ran.stderr)).toEqual(kept('500 in .git/hooks/'))
  })
})

it('hooks that the user cannot read do not keep a cell from starting', async () => {
  using stage = makeStage('user')
  stage.put('.git/hooks/closed/x', '1\n')
  stage.own()
  onHost(stage, 'git init -q --template= .; chmod 0 .git/hooks/closed')
  expect((await paddock(stage, ['run', '--', 'echo', 'started'])).stdout).toBe('started\n')
  onHost(stage, 'chmod 0 .git/hooks')
  expect((await paddock(stage, ['run', '--', 'echo', 'started'])).stdout).toBe('started\n')
})
