import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { becoming, everyone, makeStage, paddock, type Stage, startPaddock } from '../support/cli.ts'

const identity = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@example.com', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@example.com' }

/** Runs a shell script in the project, on the host, as the stage's user. */
function onHost(stage: Stage, script: string): string {
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-ec', script]
  return execFileSync(program, rest, { cwd: stage.project, env: { ...stage.env, ...identity }, encoding: 'utf8' })
}

const protectedFiles = ['.envrc', '.vscode/settings.json', '.mcp.json', '.git/config']

describe.each(everyone)('as %s, while a cell runs', (who) => {
  test.each([
    ['git switch', 'git switch -q feat', true],
    ['git switch there and back', 'git switch -q feat; git switch -q main; git switch -q feat', true],
    ['git merge', 'git merge -q feat', true],
    ['git stash and pop', 'echo mine >> a; git stash -q; git stash pop -q; git checkout -q -- a', true],
    ['git reset --hard', 'git reset -q --hard feat', true],
    ['a protected directory that is made again', 'rm -r .vscode; sleep 0.3; git checkout -q -- .vscode', true],
    ['an editor that saves by renaming', 'sed -i s/base/edited/ .envrc', false],
  ])('%s on the host works, the cell goes on, and it cannot write protected files', async (_, script, isOwnVersion) => {
    using stage = makeStage(who)
    stage.own()
    onHost(
      stage,
      `git init -qb main .; echo 1 > a; echo base > .envrc; mkdir .vscode; echo '{}' > .vscode/settings.json; git add .; git commit -qm base
      git switch -qc feat; echo feat > .envrc; echo '{"f":1}' > .vscode/settings.json; echo '{}' > .mcp.json; echo 2 > a; git add .; git commit -qm feat
      git switch -q main`,
    )
    const inCell = `echo ready; read -r _; for f in ${protectedFiles.join(' ')}; do echo evil >> $f && echo wrote $f; done 2>/dev/null; echo done`
    const child = startPaddock(stage, ['run', '--', 'sh', '-c', inCell])
    let said = ''
    for (const each of [child.stdout, child.stderr]) each?.on('data', (chunk) => (said += String(chunk)))
    await expect.poll(() => said).toContain('ready')
    onHost(stage, script)
    const before = onHost(stage, 'git status --porcelain; cat .envrc')
    await expect.poll(() => onHost(stage, 'cat .envrc')).not.toBe('')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdin?.end('go\n')
    expect(await ended).toBe(0)
    expect(said).toContain('done')
    expect(said).not.toContain('wrote')
    if (isOwnVersion) {
      expect(onHost(stage, 'git status --porcelain; cat .envrc')).toBe(before)
      expect(said).not.toContain('quarantined')
    } else {
      // Nobody can prove that the cell did not write into the temporary file of the editor, and no commit has the content.
      expect(stage.read('.envrc.quarantined')).toBe('edited\n')
      expect(said).toContain('.envrc → .envrc.quarantined')
    }
    expect(existsSync(path.join(stage.project, '.git/info/sparse-checkout'))).toBe(false)
    // A stash changes no protected file.
    if (!script.includes('stash'))
      expect((await paddock(stage, ['audit', 'tail', '-n', '50'])).stdout).toContain('again after another program replaced it')
  })
})
