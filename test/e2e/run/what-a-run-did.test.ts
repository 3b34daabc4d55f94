import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { CellReport, ChangeSummary } from '../../../src/cell/report.ts'
import { everyone, makeStage, paddock, type Stage, type Who } from '../../support/cli.ts'

/** Runs git on the host. Its own subprocesses accept the owner of the stage too. */
function git(stage: Stage, ...words: string[]): string {
  const settings = path.join(stage.root, 'gitconfig')
  writeFileSync(settings, '[safe]\n\tdirectory = *\n[user]\n\tname = a\n\temail = a@b\n')
  return String(execFileSync('git', words, { cwd: stage.project, env: { ...process.env, GIT_CONFIG_GLOBAL: settings } })).trim()
}

/** Returns a project with a few files in it, and with git in it if `repository`. */
function stageOf(who: Who, repository: boolean): Stage {
  const stage = makeStage(who)
  for (const each of ['src/a.js', 'src/b.js', 'src/deep/c.js', 'node_modules/x/i.js', 'd.txt']) stage.put(each, `${each}\n`)
  if (repository) {
    git(stage, 'init', '-q', '-b', 'main')
    writeFileSync(path.join(stage.project, '.git/info/exclude'), 'node_modules\n')
    git(stage, 'add', '.')
    git(stage, 'commit', '-q', '-m', 'first')
  }
  stage.own()
  return stage
}

const me = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b;'

/** Runs a script in a cell, and returns what its report and its last lines say about changes. */
async function did(stage: Stage, script: string): Promise<{ changes: ChangeSummary; lines: string }> {
  const file = path.join(stage.env['PADDOCK_HOME'] ?? '', 'report.json')
  const ran = await paddock(stage, ['run', '--json', '--report', file, '--', 'sh', '-c', me + script])
  expect(ran.code, ran.stderr).toBe(0)
  const report = JSON.parse(ran.stdout) as CellReport
  if (report.changes === null) throw new Error('a run has changes')
  return { changes: report.changes, lines: ran.stderr.slice(ran.stderr.indexOf('done after')) }
}

const files = ({ created, modified, deleted, renamed }: ChangeSummary) => ({ created, modified, deleted, renamed })
const nothing = { created: [], modified: [], deleted: [], renamed: [] }

test.each(everyone.flatMap((who) => [true, false].map((repository) => ({ who, repository }))))(
  'a file that is gone, at another path or new is named, with git: $repository, as $who',
  async ({ who, repository }) => {
    using stage = stageOf(who, repository)
    for (const [script, expected, line] of [
      ['rm src/a.js', { deleted: ['src/a.js'] }, '1 file deleted'],
      ['mv src/b.js e.js', { renamed: [{ from: 'src/b.js', to: 'e.js' }] }, '1 file renamed'],
      ['mv src lib', { renamed: [{ from: 'src/deep/c.js', to: 'lib/deep/c.js' }] }, '1 file renamed'],
      ['cp d.txt n; mv n d.txt; ln -s x y', { created: ['y'], modified: ['d.txt'] }, '1 file added, 1 modified'],
      ['rm d.txt; mkdir d.txt', { deleted: ['d.txt'] }, '1 file deleted'],
      [
        'mv lib/deep/c.js lib/deep/k; echo 1 > lib/deep/c.js',
        { created: ['lib/deep/k'], modified: ['lib/deep/c.js'] },
        '1 file added, 1 modi',
      ],
      ['rm node_modules/x/i.js', { modified: ['node_modules'] }, '1 file modified'],
      ['rm -r node_modules lib', { deleted: ['lib/deep/c.js', 'lib/deep/k', 'node_modules'] }, '3 files deleted'],
      ['mkdir empty; rmdir empty', {}, 'no file changed'],
    ] as const) {
      const { changes, lines } = await did(stage, script)
      expect(files(changes), script).toEqual({ ...nothing, ...expected })
      expect(lines, script).toContain(` · ${line}`)
    }
  },
)

test.each(everyone)('commits, branches, stashes and an operation in progress are named, as %s', async (who) => {
  using stage = stageOf(who, true)
  const first = git(stage, 'rev-parse', 'HEAD')
  const { changes, lines } = await did(
    stage,
    `git switch -qc feat; echo 2 >> d.txt; git commit -qam "$(printf 'two\\033[2J\\nbody')"; git commit -q --allow-empty -m three
     echo 3 >> d.txt; git stash -q; git branch -q other`,
  )
  const head = git(stage, 'rev-parse', 'HEAD')
  expect(changes.git).toEqual([
    {
      workTree: '.',
      branchBefore: 'main',
      branchAfter: 'feat',
      headBefore: first,
      headAfter: head,
      commits: [
        { hash: head, subject: 'three', protected: [] },
        { hash: git(stage, 'rev-parse', 'HEAD~1'), subject: 'two\\u{1b}[2J body', protected: [] },
      ],
      commitCount: 2,
      inProgress: null,
      stashes: 1,
    },
  ])
  expect(lines).toContain(' · 2 commits on feat (was on main) · 1 stash made')
  expect(lines).toContain(`commits: ${head.slice(0, 10)} three; `)

  const conflict = await did(
    stage,
    'git switch -q main; echo 4 > d.txt; git commit -qam four; git merge -q feat >/dev/null; git branch -D other',
  )
  expect(conflict.changes.git).toMatchObject([{ branchBefore: 'feat', branchAfter: 'main', inProgress: 'merge', commitCount: 1 }])
  expect(conflict.lines).toContain('1 commit on main (was on feat) · merge in progress')
  expect(conflict.lines).toContain('to end the merge: git merge --continue or, to undo it, git merge --abort')

  const undone = await did(stage, 'git merge --abort; git reset -q --hard HEAD~1')
  expect(undone.changes.git).toMatchObject([{ headAfter: first, commits: [], commitCount: 0, inProgress: null }])
  expect(undone.lines).toContain(` · main moved from ${conflict.changes.git[0]?.headAfter?.slice(0, 10)} to ${first.slice(0, 10)}`)

  const none = await did(stage, 'git status -s; git switch -q feat; git switch -q main')
  expect(none.changes.git).toEqual([])
})

test.each(everyone)('protected paths that a commit changes are named with the commit, as %s', async (who) => {
  using stage = stageOf(who, true)
  stage.put('.envrc', 'use nix\n')
  git(stage, 'add', '.')
  git(stage, 'commit', '-q', '-m', 'tools')
  stage.own()
  const { changes, lines } = await did(stage, 'git rm -q --cached --sparse .envrc; git commit -qm without')
  expect(changes.git[0]?.commits).toMatchObject([{ subject: 'without', protected: ['.envrc'] }])
  expect(lines).toMatch(/commit [0-9a-f]{10} changes protected paths: \.envrc/)
})

test.each(everyone)('the commits of a linked work tree and of a submodule are named, as %s', async (who) => {
  using stage = stageOf(who, true)
  git(stage, 'clone', '-q', '--bare', '.', path.join(stage.root, 'sub.git'))
  git(stage, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', path.join(stage.root, 'sub.git'), 'sub')
  git(stage, 'commit', '-q', '-m', 'with a submodule')
  git(stage, 'worktree', 'add', '-q', path.join(stage.root, 'linked'), '-b', 'two')
  stage.own()
  const inSub = await did(stage, 'cd sub; echo 2 >> d.txt; git commit -qam inside')
  expect(inSub.changes.git).toMatchObject([{ workTree: 'sub', branchAfter: 'main', commits: [{ subject: 'inside' }] }])
  expect(inSub.lines).toContain('in sub: 1 commit on main\n')
  const linked = await did({ ...stage, project: path.join(stage.root, 'linked') }, 'echo 2 >> d.txt; git commit -qam linked')
  expect(linked.changes.git).toMatchObject([{ workTree: '.', branchAfter: 'two', commits: [{ subject: 'linked' }] }])
})

test.each(everyone)('what a cell leaves in git directories is read within bounds, as %s', async (who) => {
  using stage = stageOf(who, true)
  const { changes } = await did(
    stage,
    `head -c 3000000 /dev/zero | tr '\\0' s | git commit -q --allow-empty -F -
     git hash-object -w d.txt > .git/refs/heads/blob; echo 1111111111111111111111111111111111111111 > .git/refs/heads/none
     ln -s ../../../../../../../../etc/passwd .git/refs/heads/link; mkfifo .git/refs/heads/pipe; mkfifo .git/MERGE_HEAD`,
  )
  expect(changes.git).toMatchObject([{ inProgress: 'merge', commitCount: 1 }])
  expect(changes.git[0]?.commits[0]?.subject.length).toBeLessThanOrEqual(150)
})
