import { describe, expect, test } from 'vitest'
import { everyone, paddock, type Who } from '../../support/cli.ts'
import { type Comparison, compare, makeRepository } from '../../support/git-scripts/compare.ts'
import { plain, type Script } from '../../support/git-scripts/script.ts'

/** Runs commands in the cell and on the host. */
function run(who: Who, commands: readonly string[], more: Partial<Script> = {}): Promise<Comparison> {
  return compare(who, { features: plain, ...more, steps: commands.map((command) => ({ by: 'cell', command })) })
}

/** Expects that all of these commands succeed on both sides, and that everything is the same afterwards. */
async function expectSame(who: Who, commands: readonly string[], more: Partial<Script> = {}): Promise<Comparison> {
  const comparison = await run(who, commands, more)
  const { steps, failed, stderr, bare, cell } = comparison
  expect(steps.map((each) => each.command)).toEqual(commands)
  expect(failed?.command, stderr).toBeUndefined()
  expect(cell, stderr).toBe(bare)
  return comparison
}

const rebase = 'GIT_SEQUENCE_EDITOR=true git rebase -q -i'

describe.each(everyone)('as %s, git in a cell ends as on the host', (who) => {
  test.each<[string, readonly string[], Partial<Script>]>([
    [
      'a subtree that is added, merged and split',
      [
        'git update-index -q --refresh',
        'git subtree add -q --prefix=lib "$UPSTREAM" main',
        'git subtree pull -q --prefix=lib "$UPSTREAM" plain -m pulled',
        'git subtree split -q --prefix=lib -b split',
      ],
      {
        prepare:
          'git -C ../upstream branch -q plain origin/plain; git -C ../upstream rm -qr .envrc .vscode; git -C ../upstream commit -qm none',
      },
    ],
    [
      'an interactive rebase with exec',
      ['git switch -q plain', `${rebase} --exec 'git show -s --format=%s >> executed' feat`, 'git add executed', 'git commit -qm log'],
      {},
    ],
    [
      'an exec that fails, and the end of the rebase',
      ['git switch -q plain', `! ${rebase} --exec 'test -e absent' none`, 'touch absent', 'git rebase --continue'],
      {},
    ],
    ['bisect run over other protected files', ['git bisect start none main', 'git bisect run test -e .envrc', 'git bisect reset'], {}],
    [
      'a work tree that is made inside and used there',
      [
        'git worktree add -q inside -b topic plain',
        'cd inside && echo t >> a && git commit -qam t && git switch -q --detach plain',
        'git worktree list && git merge -q --no-edit topic',
      ],
      { prepare: 'echo /inside >> .git/info/exclude' },
    ],
    [
      'a work tree with other protected files that is made inside',
      ['git worktree add -q inside -b topic feat', 'cd inside && echo t >> a && git commit -qam t'],
      { prepare: 'echo /inside >> .git/info/exclude' },
    ],
    [
      'a repository in a subdirectory of the project',
      [
        'cd app && git switch -q feat && echo 3 >> a && git commit -qam work',
        'cd app && git reset -q --hard none',
        'cd app && git switch -q main && git merge -q feat',
      ],
      { prepare: 'mkdir app; mv .git .envrc .vscode .gitignore a pkg "two words" app' },
    ],
    [
      'a project in a subdirectory of the repository',
      [
        'git switch -q feat && echo 3 >> f && git commit -qam work',
        'git reset -q --hard none && git switch -q main && git merge -q feat',
        'git stash list && git checkout -q -- .',
      ],
      { directory: 'pkg' },
    ],
  ])('%s', async (_, commands, more) => {
    await expectSame(who, commands, more)
  })
})

/** A tool that a hook starts. It shows that it ran, and in which file it found what to run. */
const tool = (config: string): string => `#!/bin/sh\necho "$(cat ${config})" >> ran.log\n`

/** Makes an executable file in a shell script. */
const put = (file: string, content: string): string =>
  `mkdir -p "$(dirname ${file})"; cat > ${file} <<'END'\n${content}END\nchmod +x ${file}`

const layouts: readonly { readonly name: string; readonly prepare: string; readonly hooks: readonly string[]; readonly config: string }[] =
  [
    {
      // husky 9 writes `.husky/_`, and `core.hooksPath`.
      name: 'husky',
      prepare: [
        put(
          '.husky/_/h',
          '#!/usr/bin/env sh\nn=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n[ ! -f "$s" ] && exit 0\nPATH="node_modules/.bin:$PATH" sh -e "$s" "$@"\n',
        ),
        put('.husky/_/pre-commit', '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n'),
        "echo '*' > .husky/_/.gitignore; echo 'lint' > .husky/pre-commit; git config core.hooksPath .husky/_",
        put('node_modules/.bin/lint', tool('.lintstagedrc')),
        'echo lint-config > .lintstagedrc',
      ].join('\n'),
      hooks: ['.husky/pre-commit', '.husky/_/pre-commit', '.husky/_/h', '.git/config'],
      config: '.lintstagedrc',
    },
    {
      name: 'lefthook',
      prepare: [
        put(
          '.git/hooks/pre-commit',
          '#!/bin/sh\ndir="$(git rev-parse --show-toplevel)"\nif lefthook -h >/dev/null 2>&1; then lefthook run pre-commit "$@"\nelif test -f "$dir/node_modules/.bin/lefthook"; then "$dir/node_modules/.bin/lefthook" run pre-commit "$@"\nelse echo "Can\'t find lefthook in PATH"; fi\n',
        ),
        put('node_modules/.bin/lefthook', tool('lefthook.yml')),
        'echo lefthook-config > lefthook.yml',
      ].join('\n'),
      hooks: ['.git/hooks/pre-commit'],
      config: 'lefthook.yml',
    },
    {
      name: 'pre-commit',
      prepare: [
        put(
          '.git/hooks/pre-commit',
          '#!/usr/bin/env bash\nINSTALL_PYTHON=$PWD/venv/bin/python\nif [ -x "$INSTALL_PYTHON" ]; then\n  exec "$INSTALL_PYTHON" -mpre_commit hook-impl\nelif command -v pre-commit > /dev/null; then\n  exec pre-commit hook-impl\nelse\n  echo \'`pre-commit` not found.\' 1>&2\n  exit 1\nfi\n',
        ),
        put('venv/bin/python', tool('.pre-commit-config.yaml')),
        'echo pre-commit-config > .pre-commit-config.yaml; echo venv >> .git/info/exclude',
      ].join('\n'),
      hooks: ['.git/hooks/pre-commit'],
      config: '.pre-commit-config.yaml',
    },
  ]

describe.each(everyone)('as %s, hooks that the user has installed', (who) => {
  test.each(layouts)('$name: run at git commit in a cell, which cannot change them', async ({ prepare, hooks, config }) => {
    const all = `echo 'ran.log\nnode_modules' >> .git/info/exclude\n${prepare}\ngit add .; git commit -qm tools; rm -f ran.log`
    const { cell } = await expectSame(who, ['echo 2 >> a && git commit -qam work', 'grep -q config ran.log'], { prepare: all })
    expect(cell).toContain('./ran.log')
    using stage = await makeRepository(who, { features: plain, prepare: all })
    const before = hooks.map((each) => stage.read(each))
    const attack = `for each in ${hooks.join(' ')}; do echo evil >> $each; rm -f $each; mv $each moved; mv $(dirname $each) moved; done 2>/dev/null`
    const { stderr } = await paddock(stage, ['run', '--egress', 'off', '--', 'sh', '-c', `${attack}; echo changed >> ${config}`])
    expect(hooks.map((each) => stage.read(each))).toEqual(before)
    expect(stderr).toMatch(new RegExp(`review these before you go on; they can run on your machine: .*${config.replaceAll('.', '\\.')}`))
  })
})
