import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

export const commitsWork: Guarantee = {
  id: 'later-git-itself',
  chapter: 'later',
  claim:
    'With git, a cell can commit, branch and stash, but can change neither the hooks of the repository nor settings that run a program.',
  mechanism:
    'In the git directory only hooks and similar paths are read-only, and git changes a copy of the config. Objects, refs and the index are writable.',
  kind: 'structural',
  why: 'Git writes its configuration to a lock file and renames that over the old one, and a mount point cannot be replaced by a rename.',
  fails: ['A cell can change the history of the repository. Push first, or work with --copy.'],
  probe: async (bench) => {
    const project = await bench.project()
    const setup = await bench.run(['/bin/sh', '-c', 'git --version >/dev/null 2>&1 || exit 77'], { project })
    if (setup.report.ending.kind === 'exited' && setup.report.ending.code === 77) return unenforceable('the cell has no git')
    // A repository like one that a user's git creates. It is written by hand, because git on this machine may create it differently.
    const repository = await bench.project({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects/info/.keep': '',
      '.git/refs/heads/.keep': '',
      '.git/config': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
      '.git/hooks/post-checkout': '#!/bin/sh\n',
    })
    const watched = (): ReadonlyMap<string, string> =>
      new Map([...snapshot(repository)].filter(([each]) => /^\.git\/(config|hooks)/.test(each)))
    const before = watched()
    const { result } = await bench.inside(
      ({ sh }) => {
        const run = (command: string): number | null => sh(`${command} >/dev/null 2>&1`)?.code ?? null
        const as = 'git -c user.name=n -c user.email=e@example.test'
        return {
          working: {
            add: run('rm -f .git/refs/heads/.keep && git add README'),
            commit: run(`${as} commit -q -m one`),
            branch: run('git checkout -q -b other'),
            stash: run(`echo more >> README && ${as} stash && git stash pop`),
            amend: run(`${as} commit -q -a --amend -m two`),
          },
          hooks: [
            'echo "touch bad" > .git/hooks/post-commit',
            'mkdir -p t/hooks && echo bad > t/hooks/pre-push && git init -q --template t && test -e .git/hooks/pre-push',
          ].map((each) => run(each)),
          settings: ['core.fsmonitor "touch bad"', 'alias.x "!touch bad"', '--worktree core.pager "touch bad"'].map((each) =>
            run(`git config ${each}`),
          ),
        }
      },
      null,
      { project: repository },
    )
    const changed = differences(before, watched())
    if (changed.length > 0) return broken(`changed on the host: ${changed.join(', ')}`)
    const failed = Object.entries(result.working).filter(([, code]) => code !== 0)
    if (failed.length > 0) return broken(`git does not work in the cell: ${failed.map((each) => each.join(' ')).join(', ')}`)
    const head = await readFile(path.join(repository, '.git/HEAD'), 'utf8')
    if (head.trim() !== 'ref: refs/heads/other') return broken(`the branch on the host is ${head.trim()}`)
    return held(
      `${Object.keys(result.working).join(', ')} worked; ${result.hooks.length} hooks and ${result.settings.length} settings had no effect on the host`,
    )
  },
}
