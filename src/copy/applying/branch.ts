import { PaddockError } from '../../base/errors.ts'
import type { Converted } from '../../git/filter-drivers.ts'
import { parentsOf } from '../copy-names.ts'
import { isLink } from '../manifest.ts'
import { refuseLinkedProject } from '../project-directory.ts'
import type { Change } from '../reviewing/change.ts'
import { type PatchedFile, quoted } from '../reviewing/patch.ts'
import { AttributedTree } from './attributed-tree.ts'
import { type BranchGit, branchGit } from './branch-git.ts'

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

/** An entry of the commit's tree: its mode in git's form, and its object. */
interface TreeEntry {
  readonly mode: string
  readonly object: string
}

/**
 * Makes a branch with one commit that contains the changes, by git-fast-import(1). The project's work tree, index and HEAD are not touched,
 * and no hook, signing program or filter except git-lfs runs. Line endings and encodings are converted as by git-add(1). Author and
 * committer are the user. Returns the commit.
 * @throws PaddockError CONFLICT if the branch exists, or if a file in that commit differs from the participants' starting point; NOT_ALLOWED
 * if a filter would convert a file; BAD_INPUT, FILES_FAILED
 */
export async function commitOnBranch(
  wish: BranchWish,
  changes: readonly Change[],
  sides: (change: Change) => Promise<PatchedFile>,
): Promise<string> {
  refuseLinkedProject(wish.project)
  const git = branchGit(wish.project, wish.env)
  const branch = refOf(git, wish)
  const tree = treeOf(git, wish)
  const attributes = attributesIn(git, tree)
  using old = new AttributedTree(git.at, attributes)
  using now = new AttributedTree(git.at, attributes)
  const links = new Map<string, Buffer>()
  // Deletions come first, because a directory may replace a file.
  for (const each of changes) if (each.now === null) now.remove(each.path)
  for (const each of changes) {
    const both = await sides(each)
    if (both.old !== null && both.old.mode !== '120000') old.put(each.path, both.old.bytes)
    if (both.now === null) continue
    if (both.now.mode !== '120000') now.put(each.path, both.now.bytes)
    else {
      now.remove(each.path)
      links.set(each.path, both.now.bytes)
    }
  }
  const began = { converted: namesIn(old, wish, false), plain: namesIn(old, wish, true) }
  refuseMoved(git, wish, changes, { tree, began })
  refuseFilter(git.filters.converted(now.files, now.ask.bind(now)), wish)
  // The files of participants are as they are in a work tree, or, with --ref, as they are stored.
  const isPlain = (file: string): boolean => began.plain.has(file) && began.converted.get(file) !== tree.get(file)?.object
  const [plain, converted] = [now.files.filter(isPlain), now.files.filter((each) => !isPlain(each))]
  const objects = new Map([...stored(now, plain, wish, true), ...stored(now, converted, wish, false)])
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
  for (const each of changes) if (each.now === null) parts.push(`D ${quoted(each.path)}\n`)
  for (const { path: file, now: entry } of changes) {
    const [object, target] = [objects.get(file), links.get(file)]
    if (target !== undefined) parts.push(`M 120000 inline ${quoted(file)}\ndata ${target.length}\n`, target, '\n')
    else if (object !== undefined && entry !== null && !isLink(entry))
      parts.push(`M ${(entry.mode & 0o111) === 0 ? '100644' : '100755'} ${object} ${quoted(file)}\n`)
  }
  parts.push('done\n')
  const done = git.run(['fast-import', '--quiet', '--done', '--date-format=raw'], Buffer.concat(parts.map((each) => Buffer.from(each))))
  if (done.status !== 0) throw new PaddockError('FILES_FAILED', `git could not make the branch ${wish.name}: ${done.stderr}`)
  return git.run(['rev-parse', '--verify', branch]).stdout.toString().trim()
}

/** Returns the files, links and submodules of the commit, by path. */
function treeOf(git: BranchGit, { commit }: BranchWish): ReadonlyMap<string, TreeEntry> {
  const listed = git.run(['ls-tree', '-r', '-z', '--full-tree', commit])
  if (listed.status !== 0)
    throw new PaddockError('NOT_FOUND', `${commit}, from which the contest was made, is not in this repository: ${listed.stderr}`, {
      hint: 'Fetch it: git fetch, or leave --branch out',
    })
  const tree = new Map<string, TreeEntry>()
  for (const line of listed.stdout.toString('utf8').split('\0')) {
    const [, mode, object, file] = /^(\d{6}) \w+ ([0-9a-f]{40,64})\t(.+)$/s.exec(line) ?? []
    if (mode !== undefined && object !== undefined && file !== undefined) tree.set(file, { mode, object })
  }
  return tree
}

function attributesIn(git: BranchGit, tree: ReadonlyMap<string, TreeEntry>): ReadonlyMap<string, Buffer> {
  const found = [...tree].filter(([file, { mode }]) => /(^|\/)\.gitattributes$/.test(file) && mode.startsWith('100'))
  return new Map(found.map(([file, { object }]) => [file, git.run(['cat-file', 'blob', object]).stdout]))
}

/** Returns the names of the objects that the files of a tree would have, by path. Nothing is stored. */
function namesIn(tree: AttributedTree, wish: BranchWish, isPlain: boolean): ReadonlyMap<string, string> {
  return named(tree, tree.files, wish, { isPlain, isStored: false })
}

function stored(tree: AttributedTree, files: readonly string[], wish: BranchWish, isPlain: boolean): ReadonlyMap<string, string> {
  return named(tree, files, wish, { isPlain, isStored: true })
}

function named(
  tree: AttributedTree,
  files: readonly string[],
  { name }: BranchWish,
  how: Parameters<AttributedTree['objects']>[1],
): ReadonlyMap<string, string> {
  const { status, stderr, names } = tree.objects(files, how)
  if (status !== 0) throw new PaddockError('FILES_FAILED', `git could not store the files of the branch ${name}: ${stderr}`)
  return new Map(files.map((each, index) => [each, names[index] ?? '']))
}

function refuseFilter([first, ...more]: readonly Converted[], { name }: BranchWish): void {
  if (first === undefined) return
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  throw new PaddockError(
    'NOT_ALLOWED',
    `The branch ${name} was not made: to store ${first.path}${others}, git would run a filter (${first.key}), which may run files of the agent.`,
    { hint: 'Choose other files with --path, or apply to the files of the project: leave --branch out' },
  )
}

function refOf(git: BranchGit, { name }: BranchWish): string {
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
 * directory, or a directory a file or submodule, that was not chosen for deletion: git-fast-import(1) would silently delete it. `began`: the
 * objects of the starting point, by path.
 */
function refuseMoved(
  git: BranchGit,
  { commit, name }: BranchWish,
  changes: readonly Change[],
  {
    tree,
    began,
  }: {
    readonly tree: ReadonlyMap<string, TreeEntry>
    readonly began: Readonly<Record<'converted' | 'plain', ReadonlyMap<string, string>>>
  },
): void {
  const deleted = new Set(changes.flatMap(({ path, now }) => (now === null ? [path] : [])))
  const kept = new Set([...tree.keys()].filter((each) => !deleted.has(each)))
  const above = new Set([...kept].flatMap(parentsOf))
  const moved = changes.filter(({ path, base, now }) => {
    if (now !== null && (above.has(path) || parentsOf(path).some((each) => kept.has(each)))) return true
    const there = tree.get(path)
    if (base === null || there === undefined) return base !== null || there !== undefined
    if (isLink(base)) return there.mode !== '120000' || git.run(['cat-file', 'blob', there.object]).stdout.toString('utf8') !== base.target
    const isSame = [began.converted, began.plain].some((each) => each.get(path) === there.object)
    return there.mode !== ((base.mode & 0o111) === 0 ? '100644' : '100755') || !isSame
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
