import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage, type Who } from '../../support/cli.ts'
import { makeProjectStage } from '../../support/project-stage.ts'

/** Commands of a filter that run files of their working directory, without a word in the command that is such a file. */
const commands = {
  'a module of python': 'python3 -m strip',
  'a file without its ending': 'node tools/clean',
  'a file in another directory': 'sh -c "cd tools && sh ./clean.sh"',
  'a makefile': 'make -s clean',
  'a program of PATH': 'PATH=$PWD/tools:$PATH sh -c clean.sh',
} as const

/** Writes files for each of the commands, which leave a file `ran`. */
const files = [
  'mkdir -p tools; printf "touch $PWD/ran\\n" > tools/clean.sh; chmod +x tools/clean.sh',
  'printf "open(\\"ran\\", \\"w\\")\\n" > strip.py',
  'printf "require(\\"fs\\").writeFileSync(\\"ran\\", \\"\\")\\n" > tools/clean.js',
  'printf "clean:\\n\\ttouch ran\\n" > Makefile',
  'echo x > data.x',
].join('; ')

const hasRun = (stage: Stage): boolean => existsSync(path.join(stage.project, 'ran'))

function repository(who: Who, attributes: string): Stage & { git(...args: readonly string[]): string } {
  const stage = makeStage(who)
  const git = (...args: readonly string[]): string => {
    const said = execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, ...args]).toString()
    stage.own()
    return said
  }
  writeFileSync(`${stage.home}/.gitconfig`, '[user]\n\tname = A\n\temail = a@host.example\n')
  stage.put('first', 'one\n')
  if (attributes !== '') stage.put('.gitattributes', attributes)
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('-c', 'user.name=A', '-c', 'user.email=a@host.example', 'commit', '-qm', 'first')
  return Object.assign(stage, { git })
}

describe.each(everyone)('a filter at apply, as %s', (who) => {
  test.each(Object.entries(commands))('does not run %s that was just applied', async (_, command) => {
    using stage = repository(who, '*.x filter=strip\n')
    stage.git('config', 'filter.strip.clean', command)
    stage.git('config', 'filter.strip.required', 'true')
    await inCell(stage, files, { args: ['--copy'] })
    const refused = await paddock(stage, ['apply', '--commit', '--run-later'])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('Nothing was applied: to commit data.x, git would run a filter (filter.strip.clean)')
    expect([existsSync(path.join(stage.project, 'data.x')), hasRun(stage)]).toEqual([false, false])
    // Without --commit, the files are applied, and git runs nothing.
    const applied = await paddock(stage, ['apply', '--run-later'])
    expect([applied.code, hasRun(stage)], applied.stderr).toEqual([0, false])
  })

  test.each([
    ['for the user', (stage: Stage) => appendFileSync(`${stage.home}/.gitconfig`, '[filter "a=b"]\n\tprocess = sh ./evil\n')],
    [
      'in numbered variables',
      ({ env }: Stage) =>
        Object.assign(env, { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'filter.a=b.process', GIT_CONFIG_VALUE_0: 'sh ./evil' }),
    ],
    ['in the parameters of an alias', ({ env }: Stage) => Object.assign(env, { GIT_CONFIG_PARAMETERS: "'filter.a=b.clean'='sh ./evil'" })],
  ])('that is configured %s does not run for attributes that are applied', async (_, configure) => {
    using stage = repository(who, '')
    configure(stage)
    stage.own()
    await inCell(stage, 'echo "*.x filter=a=b" > .gitattributes; echo "touch ran" > evil; echo x > data.x; echo y > other', {
      args: ['--copy'],
    })
    const ran = await paddock(stage, ['apply', '--commit', '--run-later'])
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toMatch(
      /The files are applied, but not committed: to commit data\.x, git would run a filter \(filter\.a=b\.(clean|process)\)/,
    )
    expect([hasRun(stage), stage.git('log', '--format=%s')]).toEqual([false, 'first\n'])
    expect(stage.git('diff', '--cached', '--name-only')).toBe('')
  })

  test('line endings are converted and unused filters do not matter', async () => {
    using stage = repository(who, '*.txt text eol=crlf\n*.x filter=strip\n')
    stage.git('config', 'filter.strip.clean', commands['a module of python'])
    await inCell(stage, 'printf "one\\r\\n" > a.txt; printf "one\\r\\n" > b', { args: ['--copy'] })
    const ran = await paddock(stage, ['apply', '--commit'])
    expect(ran.code, ran.stderr).toBe(0)
    expect([stage.git('show', 'HEAD:a.txt'), stage.git('show', 'HEAD:b'), stage.git('status', '--short')]).toEqual(['one\n', 'one\r\n', ''])
  })

  test('git-lfs stores the content of its files', async () => {
    using stage = repository(who, '*.bin filter=lfs diff=lfs merge=lfs -text\n')
    appendFileSync(
      `${stage.home}/.gitconfig`,
      '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n',
    )
    stage.own()
    await inCell(stage, 'echo large > a.bin', { args: ['--copy'] })
    const ran = await paddock(stage, ['apply', '--commit'])
    expect(ran.code, ran.stderr).toBe(0)
    expect(stage.git('cat-file', '-p', 'HEAD:a.bin')).toMatch(/^version https:\/\/git-lfs.github.com/)
    // An extension is a further command of git-lfs.
    appendFileSync(`${stage.home}/.gitconfig`, '[lfs "extension.x"]\n\tclean = sh ./evil\n\tsmudge = cat\n\tpriority = 0\n')
    stage.own()
    await inCell(stage, 'echo "touch ran" > evil; echo larger > a.bin', { args: ['--copy'] })
    const refused = await paddock(stage, ['apply', '--commit', '--run-later'])
    expect([refused.stderr, hasRun(stage)]).toEqual([expect.stringContaining('a.bin') as string, false])
  })
})

describe.each(everyone)('a branch of a contest, as %s', (who) => {
  const alice =
    'cat > /dev/null; echo "open(\\"ran\\", \\"w\\")" > strip.py; printf "two\\r\\n" > code; printf "new\\r\\n" > new.txt; echo x > data.x'

  test('has no file that a filter would convert, and converted line endings', async () => {
    using at = await makeProjectStage(who, { alice })
    at.git('config', 'filter.strip.clean', commands['a module of python'])
    at.git('config', 'core.autocrlf', 'input')
    writeFileSync(path.join(at.stage.project, '.git/info/attributes'), '*.x filter=strip\n')
    at.stage.own()
    await at.run('run')
    const refused = await at.run('apply', 'alice', '--branch', 'try')
    expect([refused.code, refused.stderr]).toEqual([
      expect.any(Number) as number,
      expect.stringContaining('The branch try was not made: to store data.x, git would run a filter (filter.strip.clean)') as string,
    ])
    expect(at.git('branch', '--list', 'try')).toBe('')
    const made = await at.run('apply', 'alice', '--branch', 'try', '--path', 'code', '--path', 'new.txt', '--path', 'strip.py')
    expect(made.code, made.stderr).toBe(0)
    expect([at.git('show', 'try:code'), at.git('show', 'try:new.txt'), hasRun(at.stage)]).toEqual(['two\n', 'new\n', false])
  })

  test('starts from files with other line endings in the work tree', async () => {
    using at = await makeProjectStage(who, { alice })
    at.git('config', 'core.autocrlf', 'true')
    at.stage.put('code', 'one\r\ntwo\r\nthree\r\n')
    at.git('add', 'code')
    expect(at.git('show', ':code')).toBe('one\ntwo\nthree\n')
    const contest = path.join(at.stage.root, 'second')
    expect((await paddock(at.stage, ['contest', 'new', contest, '--from-project', at.stage.project])).code).toBe(0)
    for (const each of ['contest.yaml', 'BRIEF.md', 'JUDGE_BRIEF.md']) copyFileSync(path.join(at.contest, each), path.join(contest, each))
    at.stage.own()
    await paddock(at.stage, ['contest', 'run', contest])
    const made = await paddock(at.stage, ['contest', 'apply', contest, 'alice', '--branch', 'try', '--path', 'code'])
    expect(made.code, made.stderr).toBe(0)
    expect(at.git('show', 'try:code')).toBe('two\n')
  })
})
