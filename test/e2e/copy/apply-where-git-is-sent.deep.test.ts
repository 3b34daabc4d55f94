import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { both, inCell, makeStage, paddock } from '../../support/cli.ts'

const filter = '[filter "fmt"]\n\tclean = awk -f lib/clean.awk # ours\n[core]\n\thooksPath = ."githooks"\n'

const ways: readonly [way: string, files: Record<string, string>, env: (home: string) => Record<string, string>][] = [
  ['a file that ~/.gitconfig includes', { '.gitconfig': '[include]\n\tpath = ~/extra.inc\n', 'extra.inc': filter }, () => ({})],
  ['XDG_CONFIG_HOME', { 'xdg/git/config': filter }, (home) => ({ XDG_CONFIG_HOME: `${home}/xdg` })],
  ['GIT_CONFIG_GLOBAL', { 'own.inc': filter }, (home) => ({ GIT_CONFIG_GLOBAL: `${home}/own.inc` })],
  ['GIT_CONFIG_SYSTEM', { 'system.inc': filter }, (home) => ({ GIT_CONFIG_SYSTEM: `${home}/system.inc` })],
  [
    'only variables',
    {},
    (home) => ({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'filter.fmt.clean',
      GIT_CONFIG_VALUE_0: `awk -f ${home}/../project/lib/clean.awk`,
      GIT_CONFIG_KEY_1: 'core.hooksPath',
      GIT_CONFIG_VALUE_1: '.githooks',
    }),
  ],
  ['a home in a word of the command', { '.gitconfig': filter.replace('lib/', '~/../project/lib/') }, () => ({})],
]

test.each(ways.flatMap((each) => both.map((who) => [who, ...each] as const)))(
  'as %s, a program of the project that is named by %s is marked, and does not run',
  async (who, _, files, variables) => {
    using stage = makeStage(who)
    stage.put('.gitattributes', '*.txt filter=fmt\n')
    const git = (...args: string[]) => execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, ...args])
    git('init', '-q')
    git('add', '.')
    git('-c', 'user.name=A', '-c', 'user.email=a@host.example', 'commit', '-qm', 'first')
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(stage.home, file)), { recursive: true })
      writeFileSync(path.join(stage.home, file), content)
    }
    stage.own()
    const env = {
      ...variables(stage.home),
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@host.example',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@host.example',
    }
    const ran = `${stage.home}/ran`
    const script = `mkdir -p lib .githooks; echo 'BEGIN { system("touch ${ran}") } { print }' > lib/clean.awk; echo x > a.txt; echo x > .githooks/pre-push`
    await inCell(stage, script, { args: ['--copy'], env })
    const named = await paddock(stage, ['apply', '--commit'], { env })
    expect(named.stderr).toContain('lib/clean.awk (the configuration of git runs it (filter.fmt.clean))')
    const refused = await paddock(stage, ['apply', '--commit', '--run-later'], { env })
    expect(refused.stderr).toContain('to commit a.txt, git would run a filter (filter.fmt.clean)')
    expect([existsSync(ran), existsSync(`${stage.project}/a.txt`)]).toEqual([false, false])
  },
)
