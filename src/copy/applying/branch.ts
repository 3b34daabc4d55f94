import { hash } from 'node:crypto'
import { PaddockError } from '../../errors.ts'
import { ofAnyRepository } from '../../git/any-repository.ts'
import { hostProgram, hostSearchPath } from '../../system/host-program.ts'
import { spawnSync } from '../../system/start.ts'
import { isLink } from '../manifest.ts'
import { parentsOf } from '../names.ts'
import { refuseLinkedProject } from '../project-directory.ts'
import type { Change } from '../reviewing/change.ts'
import { type PatchedFile, quoted } from '../reviewing/patch.ts'

/** A commit to make without changing the work tree. */
export interface BranchWish {
  /** The absolute path of the project, without links. */
  readonly project: string
  /** The name of the new branch. */
  readonly name: string
  /** The commit from which the branch starts. */
  readonly commit: string
  readonly message: string
  readonly env: NodeJS.ProcessEnv
}

interface Git {
  run(
    args: readonly string[],
    input?: string | Buffer,
  ): { readonly status: number | null; readonly stdout: Buffer; readonly stderr: string }
}

/**
 * Makes a branch with one commit that contains the changes, by git-fast-import(1). The project's work tree, index and HEAD are not touched,
 * and no hook, filter or signing program runs. Author and committer are the user. Returns the commit.
 * @throws PaddockError CONFLICT if the branch exists, or if a file in that commit differs from the participants' starting point; BAD_INPUT,
 * FILES_FAILED
 */
export async function commitOnBranch(
  wish: BranchWish,
  changes: readonly Change[],
  sides: (change: Change) => Promise<PatchedFile>,
): Promise<string> {
  refuseLinkedProject(wish.project)
  const git = gitIn(wish)
  const branch = refOf(git, wish)
  refuseMoved(git, wish, changes)
  const [author, committer] = ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT'].map((each) => {
    const asked = git.run(['var', each])
    if (asked.status === 0) return asked.stdout.toString().trim()
    throw new PaddockError('BAD_INPUT', `git does not know who commits: ${asked.stderr}`, {
      hint: 'Run: git config --global user.name NAME, and the same for user.email',
    })
  })
  const message = Buffer.from(`${wish.message}\n`)
  const parts: (string | Buffer)[] = [
    `commit ${branch}\nauthor ${author}\ncommitter ${committer}\ndata ${message.length}\n`,
    message,
    `\nfrom ${wish.commit}\n`,
  ]
  // Deletions come first, because a directory may replace a file.
  for (const each of changes) if (each.now === null) parts.push(`D ${quoted(each.path)}\n`)
  for (const each of changes) {
    if (each.now === null) continue
    const { now } = await sides(each)
    if (now === null) continue
    parts.push(`M ${now.mode} inline ${quoted(each.path)}\ndata ${now.bytes.length}\n`, now.bytes, '\n')
  }
  parts.push('done\n')
  const done = git.run(['fast-import', '--quiet', '--done', '--date-format=raw'], Buffer.concat(parts.map((each) => Buffer.from(each))))
  if (done.status !== 0) throw new PaddockError('FILES_FAILED', `git could not make the branch ${wish.name}: ${done.stderr}`)
  return git.run(['rev-parse', '--verify', branch]).stdout.toString().trim()
}

function gitIn({ project, env }: BranchWish): Git {
  const searchPath = env['PATH'] ?? ''
  const outside = hostSearchPath(searchPath, [project])
  const program = hostProgram('git', searchPath, [project])
  if (program === null)
    throw new PaddockError('UNENFORCEABLE', 'git is not installed, so no branch can be made.', {
      hint: 'Run: apt-get install git, or leave --branch out',
    })
  const still = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false'].flatMap((each) => ['-c', each])
  return {
    run(args, input = '') {
      const { status, stdout, stderr } = spawnSync(program, ['-C', project, ...still, '--no-pager', ...args], {
        input,
        env: { ...ofAnyRepository(env), PATH: outside, GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1', LC_ALL: 'C' },
        maxBuffer: 512 * 1024 * 1024,
      })
      return { status, stdout, stderr: stderr?.toString().trim().split('\n')[0] ?? '' }
    },
  }
}

function refOf(git: Git, { name }: BranchWish): string {
  const branch = `refs/heads/${name}`
  if (
    name.startsWith('-') ||
    git.run(['check-ref-format', '--branch', name]).status !== 0 ||
    git.run(['check-ref-format', branch]).status !== 0
  )
    throw new PaddockError('BAD_INPUT', `--branch ${name} is not a name that a branch can have.`, {
      hint: 'Name it, for example: --branch try-alice',
    })
  if (git.run(['show-ref', '--verify', '--quiet', branch]).status === 0)
    throw new PaddockError('CONFLICT', `The branch ${name} already exists, and was not changed.`, {
      hint: 'Take another name, or delete it: git branch -D',
    })
  return branch
}

/**
 * Throws CONFLICT unless the commit has the participants' starting point at each changed path. Also throws if a file would replace a
 * directory, or a directory a file or submodule, that was not chosen for deletion: git-fast-import(1) would silently delete it.
 */
function refuseMoved(git: Git, { commit, name }: BranchWish, changes: readonly Change[]): void {
  const listed = git.run(['ls-tree', '-r', '-z', '--full-tree', commit])
  if (listed.status !== 0)
    throw new PaddockError('NOT_FOUND', `${commit}, from which the contest was made, is not in this repository: ${listed.stderr}`, {
      hint: 'Fetch it: git fetch, or leave --branch out',
    })
  const at = new Map<string, { readonly mode: string; readonly object: string }>()
  for (const line of listed.stdout.toString('utf8').split('\0')) {
    const [, mode, object, file] = /^(\d{6}) \w+ ([0-9a-f]{40,64})\t(.+)$/s.exec(line) ?? []
    if (mode !== undefined && object !== undefined && file !== undefined) at.set(file, { mode, object })
  }
  const deleted = new Set(changes.flatMap(({ path, now }) => (now === null ? [path] : [])))
  const kept = new Set([...at.keys()].filter((each) => !deleted.has(each)))
  const above = new Set([...kept].flatMap(parentsOf))
  const moved = changes.filter(({ path, base, now }) => {
    if (now !== null && (above.has(path) || parentsOf(path).some((each) => kept.has(each)))) return true
    const there = at.get(path)
    if (base === null || there === undefined) return base !== null || there !== undefined
    const bytes = git.run(['cat-file', 'blob', there.object]).stdout
    if (isLink(base)) return there.mode !== '120000' || bytes.toString('utf8') !== base.target
    return there.mode !== ((base.mode & 0o111) === 0 ? '100644' : '100755') || hash('sha256', bytes) !== base.sha256
  })
  if (moved.length === 0) return
  const shown = moved.slice(0, 10).map((each) => each.path)
  if (moved.length > shown.length) shown.push(`${moved.length - shown.length} more`)
  throw new PaddockError(
    'CONFLICT',
    `The branch ${name} was not made: in commit ${commit.slice(0, 12)}, something else is at ${shown.join(', ')} than participants began with.`,
    {
      hint: 'Choose other files with --path, or apply to the files of the project: leave --branch out',
    },
  )
}
