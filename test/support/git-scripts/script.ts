import fc from 'fast-check'

/** What the repository of a random script has, beside branches with different protected files. */
export interface Features {
  readonly format: 'sha1' | 'sha256'
  /** `packed`: refs and objects are packed. `lost`: git does not know that files are unmodified. */
  readonly storage: 'loose' | 'packed' | 'lost'
  /** `lfs`: the cell has the filter. `own`: it does not. */
  readonly filter: 'none' | 'lfs' | 'own'
  readonly sparse: 'none' | 'cone' | 'patterns'
  readonly hasLinkedTree: boolean
  readonly hasSubmodule: boolean
}

export interface Step {
  /** Who makes the step: a program in the cell, or the user beside it. */
  readonly by: 'cell' | 'host'
  readonly command: string
  /** The command that is expected to end the same on the host, if it is another one. */
  readonly model?: string
}

export interface Script {
  readonly features: Features
  /** Commands that the user runs in the repository before. */
  readonly prepare?: string
  /** The directory below the project in which the cell is started. Default: the project. */
  readonly directory?: string
  readonly steps: readonly Step[]
}

const branch = fc.constantFrom('main', 'feat', 'none', 'clash', 'plain')
const file = fc.constantFrom('a', 'pkg/f', 'pkg/new', 'data.bin', "'two words/ü'", '.gitattributes')
const n = fc.nat(9)
const onBranch = (command: (name: string) => string): fc.Arbitrary<string> => branch.map(command)
const numbered = (command: (number: number) => string): fc.Arbitrary<string> => n.map(command)

const edit = fc.oneof(
  fc.tuple(n, file).map(([number, each]) => `mkdir -p pkg 'two words' && echo ${number} >> ${each}`),
  fc.constantFrom('chmod +x a', 'ln -s a link', 'rm -f pkg/f', 'echo x > ignored.log', 'mkdir -p deep/er && echo d > deep/er/d'),
)

const moveHead = fc.oneof(
  onBranch((to) => `git switch -q ${to}`),
  onBranch((to) => `git switch -q --detach ${to}`),
  onBranch((to) => `git switch -q -m ${to}`),
  onBranch((to) => `git checkout -q ${to}`),
  onBranch((to) => `git checkout -q -f ${to}`),
  onBranch((to) => `git checkout -q -B again ${to}`),
  numbered((each) => `git switch -qc b${each}`),
  fc.constantFrom('git switch -q -', 'git branch -m renamed', 'git switch -q --orphan fresh && git commit -q --allow-empty -m root'),
)

const restore = fc.oneof(
  onBranch((from) => `git checkout -q ${from} -- a pkg`),
  onBranch((from) => `git checkout -q ${from} -- .`),
  onBranch((from) => `git restore -q -s ${from} -- a`),
  onBranch((from) => `git restore -q -s ${from} -SW .`),
  fc.constantFrom(
    'git checkout -q -- .',
    'git restore -q .',
    'git restore -q -SW a',
    'git restore -q --staged .',
    'git checkout-index -fa',
  ),
)

const record = fc.oneof(
  numbered((each) => `git add -A && git commit -qm c${each}`),
  numbered((each) => `echo ${each} >> a && git commit -qam all${each}`),
  numbered((each) => `echo ${each} > only && git add only && git commit -qm only -- only`),
  fc.constantFrom(
    'git add -A',
    'git add -u',
    'git add -N .',
    'git commit -qam tracked',
    'git commit -q --amend -m amended',
    'git commit -q --allow-empty -m empty',
    'git rm -q pkg/f',
    'git rm -q --cached a',
    'git rm -qr pkg',
    'git mv a moved',
    'git mv pkg moved-pkg',
  ),
)

const combine = fc.oneof(
  onBranch((from) => `git merge -q --no-edit ${from}`),
  onBranch((from) => `git merge -q --no-ff --no-edit ${from}`),
  onBranch((from) => `git merge -q --squash ${from} && git commit -qm squashed`),
  onBranch((from) => `git merge -q --no-edit -X ours ${from}`),
  onBranch((from) => `git merge -q --no-edit ${from} || git merge --abort || :`),
  onBranch(
    (from) => `git merge -q ${from} || { test -e .git/MERGE_HEAD && git checkout -q --theirs a && git add -A && git commit -qm resolved; }`,
  ),
  onBranch((onto) => `git rebase -q ${onto}`),
  onBranch((onto) => `git rebase -q ${onto} || git rebase --abort || :`),
  onBranch((onto) => `git rebase -q ${onto} || git rebase --skip || { git rebase --abort; false; }`),
  onBranch((onto) => `GIT_SEQUENCE_EDITOR=true git rebase -q -i --exec 'echo e >> exec.log && git add exec.log' ${onto}`),
  onBranch((from) => `git cherry-pick ${from}`),
  onBranch((from) => `git cherry-pick -n ${from}`),
  onBranch((from) => `git cherry-pick ${from} || git cherry-pick --abort || :`),
  onBranch((from) => `git format-patch -q --stdout -1 ${from} | git am -q`),
  onBranch((from) => `git format-patch -q --stdout -1 ${from} | git am -q -3 || { git am --abort; false; }`),
  onBranch((from) => `git diff HEAD ${from} -- a pkg | git apply`),
  onBranch((from) => `git diff --binary HEAD ${from} | git apply --index`),
  fc.constantFrom(
    'git revert --no-edit HEAD',
    'git revert -n HEAD && git commit -qm reverted',
    'git revert --no-edit HEAD || git revert --abort || :',
  ),
)

const putAside = fc.oneof(
  onBranch((to) => `git reset -q --hard ${to}`),
  onBranch((to) => `git reset -q --keep ${to}`),
  fc.constantFrom(
    'git stash -q',
    'git stash -q -u',
    'git stash -q -k',
    'git stash -q -S',
    'git stash push -q -- a',
    'git stash pop -q',
    'git stash pop -q --index',
    'git stash apply -q',
    'git stash branch from-stash',
    'git reset -q --soft HEAD~1',
    'git reset -q --hard HEAD~1',
    'git clean -fdq',
    'git clean -fdxq',
    'git clean -fdq pkg',
  ),
)

const other = fc.oneof(
  onBranch((good) => `git bisect start HEAD ${good} && git bisect good; git bisect reset`),
  onBranch((good) => `git bisect start HEAD ${good} && git bisect run test -e .envrc; git bisect reset`),
  numbered((each) => `git tag -f t${each} && git tag -d t${each} && git tag -f -m t kept${each}`),
  numbered((each) => `git worktree add -q wt${each} -b in-wt${each} feat && cd wt${each} && echo w >> a && git commit -qam w`),
  numbered((each) => `cd wt${each} && git switch -q --detach none`),
  onBranch((to) => `cd linked && git reset -q --hard ${to}`),
  onBranch((from) => `cd linked && git merge -q --no-edit ${from}`),
  onBranch((to) => `cd sub && git switch -q ${to === 'plain' ? 'main' : to}`),
  fc.constantFrom(
    'cd linked && echo l >> a && git commit -qam linked',
    'cd sub && echo s >> a && git commit -qam sub',
    'git submodule -q update',
    'git notes add -f -m note',
    'git gc -q',
    'git repack -adq',
    'git pack-refs --all',
    'git update-index -q --refresh || :',
    'git read-tree HEAD',
    'git read-tree -u --reset HEAD',
    'git fetch -q "$UPSTREAM" main:fetched',
    'git pull -q --no-rebase --no-edit "$UPSTREAM" main',
    'git pull -q --rebase "$UPSTREAM" main',
    'git branch -D plain',
    'git sparse-checkout set pkg',
    'git sparse-checkout disable',
    'git sparse-checkout reapply',
    'git worktree prune',
  ),
)

/** Held files follow the index in a cell, so a mixed reset takes them along. */
const mixedReset = fc.oneof(branch, fc.constant('HEAD~1')).map((to): Step => {
  const command = `git reset -q --mixed ${to}`
  const held = '.envrc .vscode .mcp.json'
  const model = `old=$(git ls-files ${held}); ${command} || exit; git ls-files ${held} | git checkout-index -fq --stdin
    for each in $old; do git ls-files --error-unmatch $each >/dev/null 2>&1 || rm -f $each; done; rmdir .vscode 2>/dev/null
    git update-index -q --refresh; :`
  return { by: 'cell', command, model }
})

const inCell = fc.oneof(
  { weight: 4, arbitrary: edit },
  { weight: 5, arbitrary: moveHead },
  { weight: 2, arbitrary: restore },
  { weight: 5, arbitrary: record },
  { weight: 6, arbitrary: combine },
  { weight: 4, arbitrary: putAside },
  { weight: 4, arbitrary: other },
)

const onHost = fc.oneof(
  onBranch((to) => `git switch -q ${to}`),
  onBranch((from) => `git merge -q --no-edit ${from}`),
  onBranch((to) => `git reset -q --hard ${to}`),
  numbered((each) => `echo h${each} >> a && git commit -qam host${each}`),
  numbered((each) => `echo h${each} > host${each} && git add -A && git commit -qm hosts${each}`),
  fc.constantFrom(
    'echo h >> a',
    'echo h > hosts',
    'sed -i s/1/9/ a',
    'echo mine >> .envrc',
    // Paddock looks for such changes several times a second.
    'echo mine >> .envrc && sleep 1 && git commit -qam mine',
    'git tag -f hosts',
    'git stash -q',
    'git stash pop -q',
    'git checkout -q -- .',
    'git commit -q --amend -m amended',
    'git revert --no-edit HEAD',
  ),
)

const features: fc.Arbitrary<Features> = fc.record({
  format: fc.constantFrom('sha1', 'sha1', 'sha1', 'sha256'),
  storage: fc.constantFrom('loose', 'packed', 'lost'),
  filter: fc.constantFrom('none', 'none', 'lfs', 'own'),
  sparse: fc.constantFrom('none', 'none', 'none', 'none', 'cone', 'patterns'),
  hasLinkedTree: fc.boolean(),
  hasSubmodule: fc.boolean(),
})

/** The simplest repository. */
export const plain: Features = {
  format: 'sha1',
  storage: 'loose',
  filter: 'none',
  sparse: 'none',
  hasLinkedTree: false,
  hasSubmodule: false,
}

/** Random scripts. In a third of them, the user works in the repository while the cell runs. */
const scripts: fc.Arbitrary<Script> = fc.nat(2).chain((third) => {
  const byCell = fc.oneof({ weight: 30, arbitrary: inCell.map((command): Step => ({ by: 'cell', command })) }, mixedReset)
  const byHost = onHost.map((command): Step => ({ by: 'host', command }))
  const step = third === 0 ? fc.oneof({ weight: 4, arbitrary: byCell }, { weight: 1, arbitrary: byHost }) : byCell
  return fc.record({ features, steps: fc.array(step, { minLength: 8, maxLength: 25, size: 'max' }) })
})

/** Returns the script of a seed, always the same one. */
export function scriptOf(seed: number): Script {
  const [script] = fc.sample(scripts, { seed, numRuns: 1 })
  if (script === undefined) throw new Error('no script')
  return script
}

/** Returns a script as text for people. */
export function scriptText({ features, steps }: Script): string {
  return [JSON.stringify(features), ...steps.map(({ by, command }) => (by === 'host' ? `[host] ${command}` : command))].join('\n')
}
