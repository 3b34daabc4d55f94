import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { runLaterRules } from '../../cell/plan/protected/run-later.ts'
import { hostProgram } from '../../system/host-program.ts'
import { mergeWorktree } from '../../worktree/merge.ts'
import { openWorktree } from '../../worktree/open-worktree.ts'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { outputOfProgram } from '../probe/host-program-end.ts'

const searchPath = '/usr/local/bin:/usr/bin:/bin'
const hooks = ['post-merge', 'pre-merge-commit', 'post-checkout', 'reference-transaction']

export const mergeShowsLater: Guarantee = {
  id: 'merge-shows-later',
  chapter: 'trust',
  claim:
    'A merge by Paddock (paddock worktree merge, paddock job apply) brings no file into the project that runs later unless you allow it, and runs no hook.',
  mechanism:
    'The merge is computed without the files of the project. Each path that it changes is marked as in a review of a copy, and the project is changed only after that.',
  kind: 'policy',
  why: 'The paths are those of the merged tree, so a work tree that hides a file of its commit changes nothing.',
  fails: [
    'You merge with your own git, which shows nothing.',
    'You allow it with --run-later. In a fleet, operators can do that too.',
    'Filters, merge drivers and signing programs of your own configuration run, unless they are in the project.',
  ],
  probe: async (bench) => {
    const git = hostProgram('git', searchPath)
    if (git === null) return unenforceable('git is not installed, so there is nothing to merge')
    const home = await bench.directory()
    mkdirSync(home, { recursive: true })
    const env = { PATH: searchPath, HOME: home, PADDOCK_HOME: path.join(home, 'paddock'), GIT_CONFIG_NOSYSTEM: '1' }
    const runGit = (cwd: string, ...args: readonly string[]): Promise<unknown> =>
      outputOfProgram(git, ['-c', 'user.name=a', '-c', 'user.email=a@example', ...args], { cwd, env })
    const project = await bench.project({ file: 'one\n' })
    await runGit(project, 'init', '-q', '-b', 'main')
    await runGit(project, 'add', '.')
    await runGit(project, 'commit', '-qm', 'x')
    const host = { paths: resolvePaths(env), env, runLater: runLaterRules(bench.machine.runLater), note: () => undefined }
    const { record } = await openWorktree({ project, name: 'work', within: null, copy: [] }, host)
    const tree = record.directory
    await bench.inside(({ fs }) => fs.writeFileSync('Makefile', 'all:\n'), null, { project: tree })
    // A cell can commit these too, or bypass the mechanism that keeps them read-only in it.
    mkdirSync(path.join(tree, '.vscode'), { recursive: true })
    writeFileSync(path.join(tree, '.vscode/tasks.json'), '{}\n')
    await runGit(tree, 'add', '-f', 'Makefile', '.vscode/tasks.json')
    await runGit(tree, 'commit', '-qm', 'y')
    for (const each of ['Makefile', '.vscode/tasks.json']) rmSync(path.join(tree, each))
    const mark = path.join(home, 'ran')
    for (const each of hooks) {
      writeFileSync(path.join(project, '.git/hooks', each), `#!/bin/sh\n: > ${mark}\n`)
      chmodSync(path.join(project, '.git/hooks', each), 0o755)
    }
    const refusal = await mergeWorktree(record, { runLater: false }, host).then(
      () => null,
      (error: unknown) => error,
    )
    const isBrought = existsSync(path.join(project, 'Makefile'))
    if (refusal === null || isBrought) return broken('a Makefile and a .vscode/tasks.json were merged without a question')
    if (!(refusal instanceof PaddockError) || refusal.code !== 'NOT_ALLOWED') throw refusal
    if (!['Makefile', '.vscode/tasks.json'].every((each) => refusal.message.includes(each)))
      return broken(`the refusal does not name both files: ${refusal.message}`)
    await mergeWorktree(record, { runLater: true }, host)
    if (existsSync(mark)) return broken('a hook ran during the merge')
    if (!existsSync(path.join(project, 'Makefile')))
      return broken('the merge that was allowed brought no file, so the probe is inconclusive')
    return held('two files that were only in a commit were named and refused; the merge that was allowed ran none of 4 hooks')
  },
}
