import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { enterable, openPlace, type Place, wasRaised } from './place.ts'

/** Repositories that the cell makes: an ordinary one, a bare one, a clone with a submodule, and two linked work trees. */
const made = `
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
  as='-c user.name=a -c user.email=a@b'
  git init -q -b main new; echo 1 > new/a; git -C new add a; git -C new $as commit -q -m one
  git clone -q --bare new bare; git clone -q new sub-of; git -C sub-of submodule --quiet add $PWD/new part; git -C sub-of $as commit -q -m two
  git clone -q --recurse-submodules sub-of clone
  git -C new worktree add -q ../tree; git worktree add -q mine`
const gits = ['new/.git', 'bare', 'clone/.git', 'clone/.git/modules/part', 'new/.git/worktrees/tree', '.git/worktrees/mine']
const git = fc.constantFrom(...gits)

const keys = [
  ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass', 'core.gitProxy', 'core.alternateRefsCommand'],
  ...['sequence.editor', 'gpg.program', 'diff.external', 'diff.x.textconv', 'diff.x.command', 'merge.x.driver', 'filter.x.clean'],
  ...['filter.x.smudge', 'filter.x.process', 'credential.helper', 'uploadpack.packObjectsHook', 'remote.origin.uploadpack', 'pager.status'],
  ...['interactive.diffFilter', 'trailer.x.command', 'remote.origin.vcs', 'submodule.part.update'],
]
const urls = (ran: string): string[] => [
  `ext::touch ${ran}`,
  'fd::0',
  `ssh://-oProxyCommand=touch%20${ran}/x`,
  `-oProxyCommand=touch ${ran}:x`,
]

type Step = (place: Place) => string
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(git, fc.constantFrom(...keys)).map(
    ([at, key]) =>
      ({ ran }: Place) =>
        `git config --file '${at}/config' ${key} 'touch ${ran};:'; git config --file '${at}/config' alias.log '!touch ${ran}'`,
  ),
  // Settings that send git elsewhere.
  fc.tuple(git, fc.constantFrom('core.worktree', 'core.hooksPath', 'include.path', 'core.attributesFile', 'init.templateDir')).map(
    ([at, key]) =>
      ({ root, ran }: Place) =>
        `mkdir -p evil; printf '#!/bin/sh\\ntouch ${ran}\\n' > evil/pre-commit; chmod +x evil/pre-commit; printf '[core]\\nfsmonitor=touch ${ran}\\n' > evil/config
         git config --file '${at}/config' ${key} ${key === 'core.worktree' ? `'${root}/outside'` : key === 'include.path' ? '"$PWD/evil/config"' : '"$PWD/evil"'}`,
  ),
  fc.tuple(git, fc.nat(3)).map(
    ([at, n]) =>
      ({ ran }: Place) =>
        `git config --file '${at}/config' remote.origin.url '${urls(ran)[n]}'; git config --file '${at}/config' submodule.part.url '${urls(ran)[n]}'`,
  ),
  fc
    .tuple(
      git,
      fc.constantFrom(
        'pre-commit',
        'post-commit',
        'post-checkout',
        'post-rewrite',
        'pre-auto-gc',
        'reference-transaction',
        'fsmonitor-watchman',
      ),
    )
    .map(
      ([at, hook]) =>
        ({ ran }: Place) =>
          `mkdir -p '${at}/hooks'; printf '#!/bin/sh\\ntouch ${ran}\\n' > '${at}/hooks/${hook}'; chmod +x '${at}/hooks/${hook}'`,
    ),
  git.map(
    (at) =>
      ({ ran }: Place) =>
        `mkdir -p '${at}/rebase-merge'; cd '${at}/rebase-merge'; echo refs/heads/main > head-name; git rev-parse HEAD > onto; cp onto orig-head
         echo 'exec touch ${ran}' > git-rebase-todo; : > interactive; cd "$OLDPWD"`,
  ),
  fc
    .tuple(
      git,
      fc.constantFrom('logs/HEAD', 'index', 'refs/heads/y', 'COMMIT_EDITMSG', 'FETCH_HEAD', 'objects/info', 'worktrees/w', 'HEAD', 'refs'),
    )
    .map(
      ([at, name]) =>
        ({ root }: Place) =>
          `rm -rf '${at}/${name}'; mkdir -p "$(dirname '${at}/${name}')"; ln -s '${root}/outside/${name.includes('/') ? 'file' : 'd'}' '${at}/${name}'`,
    ),
  git.map((at) => () => `printf '%s refs/heads/../../x\\n' "$(git -C new rev-parse HEAD)" >> '${at}/packed-refs'`),
  git.map((at) => () => `sed -i 's#\\ba\\b#../a#' '${at}/index'`),
  git.map(
    (at) =>
      ({ root }: Place) =>
        `mkdir -p '${at}/objects/info' '${at}/info'; echo '${root}/outside' > '${at}/objects/info/alternates'; echo '* filter=x diff=x merge=x' > '${at}/info/attributes'`,
  ),
  git.map(
    (at) => () =>
      `echo '* filter=x diff=x merge=x' > '${at}/../.gitattributes'; mkdir -p '${at}/refs/replace'; git -C new rev-parse HEAD > '${at}/refs/replace/'$(git -C new rev-parse HEAD)`,
  ),
  // A repository inside of a directory that stays.
  fc
    .tuple(
      git,
      fc.constantFrom(
        'logs/refs/x',
        'refs/heads/x',
        'refs/remotes/x',
        'logs/refs/remotes/x',
        'objects/ab',
        'modules/x',
        'worktrees/x',
        'info/x',
        'x',
      ),
    )
    .map(
      ([at, inside]) =>
        ({ ran }: Place) =>
          `mkdir -p '${at}/${inside}/objects' '${at}/${inside}/refs/heads' '${at}/${inside}/hooks'; git -C new rev-parse HEAD > '${at}/${inside}/HEAD'
         printf '#!/bin/sh\\ntouch ${ran}\\n' > '${at}/${inside}/hooks/pre-commit'; chmod +x '${at}/${inside}/hooks/pre-commit'
         printf '[core]\\nrepositoryformatversion=0\\nbare=false\\nworktree=.\\nfsmonitor=touch ${ran}\\n' > '${at}/${inside}/config'`,
    ),
  fc.tuple(fc.constantFrom('tree/.git', 'mine/.git', 'clone/part/.git', 'e/.git'), git).map(
    ([file, at]) =>
      () =>
        `mkdir -p e; rm -f ${file}; echo "gitdir: $PWD/${at}" > ${file}`,
  ),
  fc.tuple(git, fc.constantFrom('commondir', 'gitdir'), git).map(
    ([at, name, to]) =>
      () =>
        `rm -rf '${at}/${name}'; echo "$PWD/${to}" > '${at}/${name}'`,
  ),
  fc.tuple(git, git).map(
    ([at, to]) =>
      () =>
        `mv '${at}' '${to}/moved'`,
  ),
)

const commands = [
  ...['status', 'log -3', 'diff', 'fetch', 'add .', 'commit --allow-empty -m x', 'switch -c made', 'clean -fdx', 'checkout -- .', 'stash'],
  ...['submodule update --init', 'rebase --continue', 'reset --hard', 'worktree prune', 'gc -q', 'branch -a'],
]

function useGit({ root }: Place, directory: string): void {
  const [settings, home] = [['safe.directory', '*', 'user.name', 'a', 'user.email', 'a@b'], path.join(root, 'home')]
  const env: Record<string, string> = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    GIT_CONFIG_COUNT: '3',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CEILING_DIRECTORIES: root,
  }
  for (let n = 0; n < 3; n++) {
    env[`GIT_CONFIG_KEY_${n}`] = settings[2 * n] ?? ''
    env[`GIT_CONFIG_VALUE_${n}`] = settings[2 * n + 1] ?? ''
  }
  // One shell for all commands, because most directories are tried.
  const script = commands.map((each) => `timeout 20 git ${each} </dev/null >/dev/null 2>&1`).join('\n')
  execFileSync('sh', ['-c', `${script}\ntrue`], { cwd: directory, env, stdio: 'ignore' })
}

function content(directory: string): string {
  const all = readdirSync(directory, { recursive: true, withFileTypes: true })
  return all
    .map((each) =>
      [path.join(each.parentPath, each.name), each.isFile() ? readFileSync(path.join(each.parentPath, each.name), 'utf8') : ''].join(' '),
    )
    .sort()
    .join('\n')
}

test('A1: no git directory that a cell makes runs a program or changes anything outside of the project', {
  timeout: 1_800_000,
}, async () => {
  let kept = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      await using place = openPlace()
      execFileSync('git', ['init', '-q', '-b', 'main', place.project])
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one'], {
        cwd: place.project,
      })
      const outside = path.join(place.root, 'outside')
      mkdirSync(`${outside}/d`, { recursive: true })
      for (const each of ['file', 'd/file']) writeFileSync(path.join(outside, each), 'kept')
      const before = content(outside)
      const script = steps.map((each) => `{ ${each(place)}\n} 2>/dev/null || true`).join('\n')
      const { changes } = await place.inCell(`set +e; exec 2>/dev/null\n${made}\n${script}\ntrue`)
      wasRaised(place.ran)
      kept += changes?.laundered?.length ?? 0
      // Every directory in which git may find a repository. The commands may remove directories, so the project itself comes last.
      const isPlace = (at: string): boolean => ['.git', 'HEAD'].some((each) => existsSync(path.join(place.project, at, each)))
      for (const each of enterable(place.project).filter(isPlace).toReversed()) {
        if (!existsSync(path.join(place.project, each))) continue
        useGit(place, path.join(place.project, each))
        expect(wasRaised(place.ran), `${each} after\n${script}`).toBe(false)
      }
      expect(content(outside), script).toBe(before)
    }),
    { endOnFailure: true, numRuns: Number(process.env['PADDOCK_RUNS'] ?? (process.env['PADDOCK_TEST_TIER'] === 'deep' ? 2 : 10)) },
  )
  expect(kept).toBeGreaterThan(0)
})
