import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { hostProgram } from '../../system/host-program.ts'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { outputOfProgram } from '../probe/host-program-end.ts'

const identity = ['-c', 'user.name=probe', '-c', 'user.email=probe@example.com', '-c', 'safe.directory=*']

/** Makes a repository whose branch `own` has another version of a protected file. Returns the project; null if git is missing. */
async function makeRepository(
  project: () => Promise<string>,
): Promise<{ readonly at: string; git(...words: string[]): Promise<string> } | null> {
  const program = hostProgram('git', '/usr/local/bin:/usr/bin:/bin')
  if (program === null) return null
  const at = await project()
  const git = async (...words: string[]): Promise<string> => (await outputOfProgram(program, [...identity, '-C', at, ...words], {})).stdout
  await git('init', '-q', '-b', 'main', '.')
  await git('add', '.')
  await git('commit', '-q', '-m', 'first')
  await git('branch', 'own')
  return { at, git }
}

export const heldVersions: Guarantee = {
  id: 'later-held-versions',
  chapter: 'later',
  claim:
    'When git in a cell checks out another version of a tracked protected file, the file on the host changes only to a version that a commit of yours has. In a work tree that a cell adds, only such versions stay.',
  mechanism:
    'A sparse checkout keeps git in the cell from touching protected paths. Afterwards, the host process writes a new version only if the file is unchanged, the commit that is checked out has the version, a commit that a ref had at the start and that no cell made has it too, and the bytes have the ID of the version.',
  kind: 'policy',
  why: 'A checkout would otherwise put a version into effect that only the agent committed.',
  fails: [
    'The agent can choose among the versions that your own branches, tags and remote branches have.',
    'Commits of cells are known only if this Paddock recorded them. Another PADDOCK_HOME has other records.',
  ],
  probe: async (bench) => {
    const made = await makeRepository(() => bench.project({ '.envrc': 'base\n', file: '1\n' }))
    if (made === null) return unenforceable('git is not installed, so there is nothing to check out')
    const file = path.join(made.at, '.envrc')
    const plant = `set -e; export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x
      git switch -qc planted; id=$(echo planted | git hash-object -w --stdin)
      git update-index --cacheinfo 100644,$id,.envrc; git commit -qm planted`
    const first = await bench.run(['sh', '-c', plant], { project: made.at })
    if (readFileSync(file, 'utf8') !== 'base\n') return broken('a version that only the cell committed was written to the host')
    await bench.run(['sh', '-c', 'git switch -q -f main'], { project: made.at })
    await bench.run(['sh', '-c', 'git switch -q planted'], { project: made.at })
    if (readFileSync(file, 'utf8') !== 'base\n')
      return broken('a later cell wrote a version that only an earlier cell committed to the host')
    await bench.run(['sh', '-c', 'git worktree add -q --detach inside planted'], { project: made.at })
    if (existsSync(path.join(made.at, 'inside/.envrc'))) return broken('a cell left a version of its own in a work tree that it added')
    const at = (await made.git('rev-parse', '--abbrev-ref', 'HEAD')).trim()
    if (at !== 'planted') return broken(`the cell could not switch branches: ${at}, ${first.stderr.trim().slice(0, 200)}`)
    const skipped = (await made.git('ls-files', '-v')).match(/^S/gm)?.length ?? 0
    if (skipped > 0) return broken(`git on the host ignores changes in ${skipped} files`)
    return held('a version that one cell committed and another one checked out was not written to the host')
  },
}
