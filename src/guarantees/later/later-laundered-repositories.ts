import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostProgram } from '../../system/host-program.ts'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { endOfProgram, outputOfProgram } from '../probe/host-program-end.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

/** Git directories that the cell makes and fills with everything that could run a program or lead git elsewhere. */
const armed = ['new/.git', 'bare', 'clone/.git', 'new/.git/worktrees/tree', '.git/worktrees/mine', '.git/modules/libs/armed']
/** Those that it leaves as git made them. */
const plain = ['plain/.git', 'plain-bare', 'plain-clone/.git', '.git/worktrees/plain-tree', '.git/modules/libs/plain']
const workTrees = ['plain', 'plain-bare', 'plain-clone', 'plain-tree', 'libs/plain']

const make = `
  as='-c user.name=x -c user.email=x'
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
  for each in new plain; do git init -q -b main $each; echo 1 > $each/a; git -C $each add a; git -C $each $as commit -qm one; done
  git clone -q --bare new bare; git clone -q --bare plain plain-bare; git clone -q new clone; git clone -q plain plain-clone
  git -C new worktree add -q ../tree; git worktree add -q mine; git worktree add -q plain-tree
  git submodule --quiet update --init
  mkdir -p .git/modules/libs; cp -r plain/.git .git/modules/libs/added; mkdir -p libs/added; echo 'gitdir: ../../.git/modules/libs/added' > libs/added/.git
  git config --file .git/modules/libs/added/config core.worktree ../../../../libs/added
  git config --file .gitmodules submodule.libs/added.path libs/added; git config --file .gitmodules submodule.libs/added.url "$added"
  git config --file .gitmodules submodule.libs/added.update '!touch bad'`

/** Returns the script that arms the git directory `$g`. */
const arm = (ran: string, outside: string): string => `
  mkdir -p $g/hooks $g/info $g/objects/info $g/refs/replace $g/rebase-merge
  for each in post-checkout pre-commit post-commit post-rewrite reference-transaction pre-auto-gc post-index-change
    do printf '#!/bin/sh\\ntouch ${ran}\\n' > $g/hooks/$each; chmod +x $g/hooks/$each; done
  for each in core.fsmonitor core.sshCommand core.pager diff.external filter.x.clean filter.x.smudge credential.helper remote.origin.uploadpack
    do git config --file $g/config $each 'touch ${ran};:'; git config --file $g/config.worktree $each 'touch ${ran};:'; done
  git config --file $g/config alias.st '!touch ${ran}'
  # A submodule with another work tree is quarantined.
  case $g in *modules*) ;; *) git config --file $g/config core.worktree ${outside};; esac
  git config --file $g/config extensions.worktreeConfig true; git config --file $g/config core.hooksPath "$PWD/$g/hooks"
  git config --file $g/config remote.origin.url 'ext::touch ${ran}'; git config --file $g/config remote.two.url 'fd::0'
  git config --file $g/config submodule.x.update '!touch ${ran}'
  for each in attributes grafts; do echo '* filter=x diff=x' > $g/info/$each; done
  echo ${outside} > $g/objects/info/alternates
  id=$(git -C plain rev-parse HEAD); echo $id > $g/refs/replace/$id; echo $id > $g/rebase-merge/onto; echo $id > $g/rebase-merge/orig-head
  echo refs/heads/main > $g/rebase-merge/head-name; : > $g/rebase-merge/interactive; echo 'exec touch ${ran}' > $g/rebase-merge/git-rebase-todo`

/** Repositories with names of refs, indexes and \`.git\` files that cannot stay as they are. */
const others = (outside: string): string => `
  git init -q refs; printf '%s refs/heads/../../x\\n' $(git -C plain rev-parse HEAD) > refs/.git/packed-refs
  git init -q index; printf 1 > index/xxxfile; git -C index add .; sed -i 's#xxxfile#../file#' index/.git/index
  mkdir -p by-file by-commondir; echo "gitdir: ${outside}/.git" > by-file/.git
  cp new/.git/HEAD by-commondir; echo ../new/.git > by-commondir/commondir`

const commands = [
  ...['status', 'diff', 'fetch', 'fetch two', 'add .', 'commit --allow-empty -m x', 'switch -c made', 'submodule update --init'],
  ...['rebase --continue', 'gc -q', 'reset --hard', 'clean -fdx', 'st'],
]

/** Returns all directories in a directory in which git may find a repository, deepest first. */
function placesIn(root: string): readonly string[] {
  const all = readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((each) =>
    each.name === '.git' || each.name === 'HEAD' ? [each.parentPath] : [],
  )
  return [...new Set(all)].sort((a, b) => b.length - a.length)
}

export const launderedRepositories: Guarantee = {
  id: 'later-laundered-repositories',
  chapter: 'later',
  claim:
    'After a cell, git on the host runs no program of the cell in a repository, clone, submodule or work tree that the cell made, and is not led elsewhere by it. Those that git made stay usable.',
  mechanism:
    'At the end, Paddock rewrites each new git directory with an allowlist: keys with matching values, and files by name and content. Everything else is moved to quarantined names at the top of the git directory. A .git file stays if its git directory points back. Addresses of new submodules get into .git/config only in forms with which git runs no other program. What does not fit is quarantined.',
  kind: 'policy',
  why: 'The allowed settings and files name no program, no file to read, and no place outside of the repository except addresses of remotes (git-config(1), gitrepository-layout(5)).',
  fails: [
    'The content of commits is not examined, as that of other files.',
    'New repositories in the work tree exist as the cell made them until it ends. New submodules of old repositories do not. Repositories that an earlier cell made, and that nobody has changed in a way that laundering would undo, count as new.',
    'An address of a remote may be one that the cell chose.',
  ],
  probe: async (bench) => {
    const program = hostProgram('git', '/usr/local/bin:/usr/bin:/bin')
    if (program === null) return unenforceable('git is not installed, so no repository can be made')
    const outside = await bench.directory()
    const ran = path.join(await bench.directory(), 'ran')
    const project = await bench.project({ '.gitmodules': '', 'source/a': '1\n' })
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: await bench.directory(), GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1' }
    const settings =
      '[safe]\n\tdirectory = *\n[protocol "file"]\n\tallow = always\n[user]\n\tname = x\n\temail = x\n[init]\n\tdefaultBranch = main\n'
    writeFileSync(path.join(env.HOME, '.gitconfig'), settings)
    const git = async (at: string, ...words: string[]): Promise<string> =>
      (await outputOfProgram(program, ['-C', at, ...words], { env })).stdout.trim()
    for (const each of [outside, path.join(project, 'source'), project]) {
      await git(each, 'init', '-q')
      writeFileSync(path.join(each, 'file'), 'as it was\n')
    }
    await git(path.join(project, 'source'), 'add', '.')
    await git(path.join(project, 'source'), 'commit', '-q', '-m', 'one')
    const id = await git(path.join(project, 'source'), 'rev-parse', 'HEAD')
    const names = ['libs/armed', 'libs/plain']
    const declared = names.map((each) => `[submodule "${each}"]\n\tpath = ${each}\n\turl = ./source\n`)
    writeFileSync(path.join(project, '.gitmodules'), declared.join(''))
    await git(project, 'add', 'file', '.gitmodules')
    for (const each of names) await git(project, 'update-index', '--add', '--cacheinfo', `160000,${id},${each}`)
    await git(project, 'commit', '-q', '-m', 'one')
    const before = snapshot(outside)

    const script = `set -e\nadded='ext::touch ${ran}'\n${make}\nset +e\nfor g in ${armed.join(' ')}; do ${arm(ran, outside)}\ndone 2>/dev/null\n${others(outside)}\ntrue`
    const { report, stderr } = await bench.run(['sh', '-c', script], { project })

    const listed = ['-C', project, 'config', '--local', '--get-regexp', '^submodule\\.']
    const { stdout: registered } = await endOfProgram(program, listed, { env })
    const unusable: string[] = []
    for (const each of workTrees) {
      const at = path.join(project, each)
      const isClean = await endOfProgram(program, ['-C', at, 'rev-parse', '--git-dir', 'HEAD'], { env })
      const own = isClean.stdout.trim().split('\n')[0] ?? ''
      if (isClean.status !== 0 || path.resolve(at, own) === path.join(project, '.git')) unusable.push(each)
    }
    const isLed = ['by-file/.git', 'by-commondir/HEAD'].filter((each) => existsSync(path.join(project, each)))
    const badRefs = existsSync(path.join(project, 'refs/.git/packed-refs'))
    for (const each of placesIn(project)) {
      if (!existsSync(each)) continue
      const all = commands.map((words) => `timeout 20 ${program} ${words} </dev/null`).join('\n')
      await endOfProgram('/bin/sh', ['-c', all], { cwd: each, env })
      if (existsSync(ran)) return broken(`git on the host ran a program of the cell in ${path.relative(project, each) || 'the project'}`)
    }
    const changed = differences(before, snapshot(outside))
    if (changed.length > 0) return broken(`git on the host changed ${changed.slice(0, 5).join(', ')} elsewhere`)
    if (isLed.length > 0) return broken(`files of the cell lead git to another git directory: ${isLed.join(', ')}`)
    if (/touch/.test(registered))
      return broken('a command of the cell is in the configuration of the repository, as the address of a submodule')
    if (badRefs) return broken('a list of refs with a name that makes git fail is still there')
    const done = new Map(report.changes?.laundered?.map((each) => [each.path, each.removed]))
    const missing = [...armed, ...plain].filter((each) => !done.has(each) && !each.startsWith('new/.git/worktrees'))
    if (missing.length > 0) return broken(`not laundered: ${missing.join(', ')}; ${stderr.trim().slice(0, 200)}`)
    if (unusable.length > 0) return broken(`no longer usable: ${unusable.join(', ')}`)
    // A new work tree inherits the patterns that keep git in the cell from touching protected files.
    const taken = plain.filter((each) => done.get(each)?.some((name) => name !== 'info') !== false)
    if (taken.length > 0)
      return broken(`something was removed that git had made: ${taken.map((each) => `${each}: ${done.get(each)}`).join('; ')}`)
    return held(
      `${armed.length} git directories with hooks, programs, other work trees and half-done rebases run nothing; ${plain.length} others are as git made them; .git files, a commondir and refs that lead elsewhere are quarantined`,
    )
  },
}
