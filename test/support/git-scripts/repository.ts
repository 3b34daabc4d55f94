import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Stage } from '../cli.ts'
import type { Features } from './script.ts'

/** Variables that make commits the same on each side. */
export const identity = {
  GIT_AUTHOR_NAME: 'x',
  GIT_AUTHOR_EMAIL: 'x@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'x',
  GIT_COMMITTER_EMAIL: 'x@example.com',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
}

const config = `[init]
\tdefaultBranch = main
[protocol "file"]
\tallow = always
[filter "lfs"]
\tclean = git-lfs clean -- %f
\tsmudge = git-lfs smudge -- %f
\tprocess = git-lfs filter-process
\trequired = true
[filter "own"]
\tclean = tr a-z A-Z
\tsmudge = tr A-Z a-z
\trequired = true
`

/** Commands that make branches whose protected files differ: `feat` changes and adds some, `none` has none, `clash` conflicts with `feat`. */
const branches = `
  echo 1 > a; echo base > .envrc; mkdir -p .vscode pkg 'two words'; echo '{}' > .vscode/settings.json; echo p > pkg/f; echo w > 'two words/ü'
  echo '*.log' > .gitignore; git add .; git commit -qm base
  git switch -qc plain; echo plain > pkg/plain; git add .; git commit -qm plain
  git switch -qc feat main; echo feat >> .envrc; echo '{"f":1}' > .vscode/settings.json; echo new > .vscode/tasks.json
  echo '{}' > .mcp.json; mkdir pkg/.vscode; echo sub > pkg/.vscode/settings.json; echo 2 > pkg/f; git add .; git commit -qm feat
  git switch -qc none main; git rm -qr .envrc .vscode; git commit -qm none
  git switch -qc clash main; echo clash >> .envrc; echo 3 > a; git commit -qam clash; git switch -q main`

/** Returns the script of a shell that makes the repository in the project, and `upstream` beside it. */
export function repositoryScript({ format, storage, filter, sparse, hasLinkedTree, hasSubmodule }: Features): string {
  const init = `git init -qb main --object-format=${format}`
  return [
    'set -e',
    `${init} .`,
    ...(filter === 'none' ? [] : [`echo '*.bin filter=${filter}' > .gitattributes; echo content > data.bin`]),
    branches,
    `git clone -q . ../upstream; (cd ../upstream; echo up >> pkg/f; echo up >> .envrc; git commit -qam up)`,
    ...(hasSubmodule
      ? [
          `${init} ../module; (cd ../module; ${branches}); git submodule -q add ../module sub; git commit -qm sub; (cd sub; git branch -q feat origin/feat; git branch -q none origin/none; git branch -q clash origin/clash)`,
        ]
      : []),
    ...(hasLinkedTree ? ['echo /linked >> .git/info/exclude; git worktree add -q linked -b linked'] : []),
    ...(sparse === 'cone' ? ['git sparse-checkout set pkg'] : []),
    ...(sparse === 'patterns' ? ["git sparse-checkout set --no-cone '/*' '!/two words'"] : []),
    ...(storage === 'packed' ? ['git gc -q'] : []),
    ...(storage === 'lost' ? ['touch -c -d 2020-01-01 a .envrc .vscode/settings.json pkg/f'] : []),
  ].join('\n')
}

/** Writes the settings of the stage's user. */
export function writeUserConfig(stage: Stage): void {
  writeFileSync(path.join(stage.home, '.gitconfig'), config)
  stage.own()
}

/** The script of a shell that prints the state of each repository in a directory: refs, index, status, operations and files. */
export const stateScript = `
  find . -name .git | sort | while read -r git; do (
    cd "$(dirname "$git")"; pwd; git rev-parse --symbolic-full-name HEAD; git rev-parse HEAD; git for-each-ref; git stash list --format=%H
    git status --porcelain --ignored -unormal; git ls-files --stage -v; git config --local -l | sort
    cd "$(git rev-parse --git-dir)"; ls -d MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply BISECT_LOG sequencer 2>/dev/null
  ) done
  find . -name .git -prune -o -printf '%y %m %p %l\\n' | sort
  find . -name .git -prune -o -type f -print | sort | xargs -d '\\n' cksum`

/**
 * The script of a shell that prints the contents that a ref, its log or an index needs, the subjects of the commits, and the files. Commits have
 * other IDs in a cell if the host has committed a held file that the cell's git could not remove.
 */
export const objectsScript = `
  find . -name .git | while read -r git; do (
    cd "$(dirname "$git")"
    git rev-list --objects --all --reflog --indexed-objects | cut -d ' ' -f 1 | git cat-file --batch-check='%(objecttype) %(objectname)' |
      sed -n 's/^blob //p'
    git log --all --reflog --format='commit %s'
  ) done
  find . -name .git -prune -o -type f -print | git hash-object --stdin-paths`
