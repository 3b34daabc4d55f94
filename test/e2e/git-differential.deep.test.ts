import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { becoming, everyone, inCell, makeStage, type Stage } from '../support/cli.ts'

/** Random scripts for each user. `FUZZ` asks for more. */
const runs = Math.max(5, Math.min(200, Number(process.env['FUZZ'] ?? 0)))
const identity = {
  GIT_AUTHOR_NAME: 'x',
  GIT_AUTHOR_EMAIL: 'x@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'x',
  GIT_COMMITTER_EMAIL: 'x@example.com',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
}
const args = ['--egress', 'off', ...Object.entries(identity).flatMap(([name, value]) => ['--env', `${name}=${value}`])]

const branch = fc.constantFrom('main', 'feat', 'none', 'clash')
const file = fc.constantFrom('a', 'pkg/f', 'pkg/new')
const number = fc.nat(9)
const command = fc.oneof(
  { weight: 4, arbitrary: branch.map((each) => `git switch -q ${each}`) },
  { weight: 3, arbitrary: fc.tuple(number, file).map(([n, each]) => `mkdir -p pkg && echo ${n} >> ${each}`) },
  { weight: 3, arbitrary: number.map((n) => `git add -A && git commit -qm c${n}`) },
  { weight: 2, arbitrary: number.map((n) => `echo ${n} >> a && git commit -qam all${n}`) },
  { weight: 2, arbitrary: branch.map((each) => `git merge -q --no-edit ${each}`) },
  { weight: 2, arbitrary: branch.map((each) => `git rebase -q ${each}`) },
  { weight: 2, arbitrary: branch.map((each) => `git reset -q --hard ${each}`) },
  branch.map((each) => `git cherry-pick ${each}`),
  branch.map((each) => `git checkout -q --detach ${each}`),
  number.map((n) => `git switch -qc b${n}`),
  fc.constantFrom(
    'git revert --no-edit HEAD',
    'git stash -q',
    'git stash pop -q',
    'git reset -q --soft HEAD~1',
    'git checkout -q -- .',
    'git clean -fdq pkg',
    'git commit -q --amend -m amended',
    'git mv a moved',
    'git rm -q pkg/f',
    'git gc -q',
    'git pack-refs --all',
  ),
)

function sh(stage: Stage, cwd: string, script: string): { readonly code: number | null; readonly stdout: string } {
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-c', script]
  const { status, stdout } = spawnSync(program, rest, { cwd, env: { ...stage.env, ...identity }, encoding: 'utf8' })
  return { code: status, stdout }
}

function makeRepository(stage: Stage): void {
  stage.own()
  const script = `set -e; git init -qb main .
    echo 1 > a; echo base > .envrc; mkdir -p .vscode pkg; echo '{}' > .vscode/settings.json; echo p > pkg/f; git add .; git commit -qm base
    git switch -qc feat; echo feat >> .envrc; echo '{"f":1}' > .vscode/settings.json; echo new > .vscode/tasks.json
    echo '{}' > .mcp.json; mkdir pkg/.vscode; echo sub > pkg/.vscode/settings.json; echo 2 > a; git add .; git commit -qm feat
    git switch -qc none main; git rm -qr .envrc .vscode; git commit -qm none
    git switch -qc clash main; echo clash >> .envrc; echo 3 > a; git commit -qam clash; git switch -q main`
  expect(sh(stage, stage.project, script).code).toBe(0)
}

/** Runs commands on a copy of the project on the host. Returns those that succeed there, in order; the others are undone. */
function runBare(stage: Stage, copy: string, commands: readonly string[]): readonly string[] {
  const before = `${copy}.before`
  return commands.filter((each) => {
    cpSync(copy, before, { recursive: true, preserveTimestamps: true })
    const isDone = sh(stage, copy, each).code === 0
    if (!isDone) {
      rmSync(copy, { recursive: true })
      cpSync(before, copy, { recursive: true, preserveTimestamps: true })
    }
    rmSync(before, { recursive: true })
    stage.own()
    return isDone
  })
}

function stateOf(stage: Stage, directory: string): unknown {
  const files = (at: string): readonly string[] =>
    readdirSync(path.join(directory, at), { withFileTypes: true })
      .filter((each) => each.name !== '.git')
      .flatMap((each) => {
        const found = path.join(at, each.name)
        return each.isDirectory() ? files(found) : [`${found}: ${readFileSync(path.join(directory, found), 'utf8')}`]
      })
  const git = (words: string): string => sh(stage, directory, `git ${words}`).stdout
  return {
    head: git('rev-parse --symbolic-full-name HEAD; git rev-parse HEAD'),
    refs: git('for-each-ref --format="%(refname) %(objectname)"'),
    index: git('ls-files --stage -v'),
    status: git('status --porcelain'),
    files: files('.').toSorted(),
  }
}

test.each(everyone)('random git scripts end in a cell as on the host, or with an error and nothing lost, as %s', async (who) => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
      using stage = makeStage(who)
      makeRepository(stage)
      const copy = path.join(stage.root, 'bare')
      cpSync(stage.project, copy, { recursive: true, preserveTimestamps: true })
      stage.own()
      const script = runBare(stage, copy, commands)
      const objects = sh(stage, stage.project, 'git rev-list --objects --all')
        .stdout.split('\n')
        .map((each) => each.split(' ')[0])
      const { code, stderr } = await inCell(
        stage,
        script.map((each) => `{ ${each}; } || { echo "failed: ${each}" >&2; exit 3; }`).join('\n'),
        { args },
      )
      if (code === 0) {
        expect(stateOf(stage, stage.project), script.join('\n')).toEqual(stateOf(stage, copy))
        return
      }
      expect(code, stderr).toBe(3)
      // Each object of the start is still there, and git gives no file away as unchanged that it does not look at.
      const missing = execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, 'cat-file', '--batch-check'], {
        input: objects.join('\n'),
        encoding: 'utf8',
      })
      expect(missing).not.toContain('missing')
      expect(sh(stage, stage.project, 'git ls-files -v').stdout.match(/^S/gm), script.join('\n')).toBeNull()
      expect(stderr, script.join('\n')).toMatch(
        /failed: git (merge|rebase|cherry-pick|revert|stash|checkout|reset|clean|add|mv|rm|commit|switch)/,
      )
    }),
    { numRuns: runs, endOnFailure: true },
  )
})
