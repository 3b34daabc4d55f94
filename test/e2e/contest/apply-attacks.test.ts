import { hash } from 'node:crypto'
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { makeProjectStage, type ProjectStage } from '../../support/project-stage.ts'

const alice = 'cat > /dev/null; echo 2 > code'

/** Writes an applied.json like an attacker: a cloned contest can contain this file. */
function forge(at: ProjectStage, changes: readonly unknown[]): void {
  const { project } = JSON.parse(readFileSync(path.join(at.contest, 'project.json'), 'utf8'))
  const applied = [{ copy: 'x', project, participant: 'alice', round: 1, tree: 'x', changes }]
  writeFileSync(path.join(at.contest, 'applied.json'), JSON.stringify({ schemaVersion: 1, applied }))
  at.stage.own()
}

describe.each(everyone)('contest apply on files that another program wrote, as %s', (who) => {
  it('an undo puts back nothing outside of the project', async () => {
    using at = await makeProjectStage(who, { alice })
    const profile = path.join(at.stage.home, '.bash_profile')
    const base = { path: `${'../'.repeat(12)}${profile.slice(1)}`, target: path.join(at.contest, 'evil') }
    forge(at, [{ path: 'fine', base, now: null }])
    const refused = await at.run('apply', '--undo')
    expect(lstatSync(profile, { throwIfNoEntry: false })).toBe(undefined)
    expect([refused.code, refused.stderr]).toEqual([125, expect.stringContaining('applied.json') as string])
  })

  it('an undo of what was not applied here needs --run-later', async () => {
    using at = await makeProjectStage(who, { alice })
    const evil = 'touch /tmp/evil\n'
    writeFileSync(path.join(at.contest, 'start/.envrc'), evil, { mode: 0o644 })
    const base = { path: '.envrc', mode: 0o644, size: evil.length, sha256: hash('sha256', evil) }
    forge(at, [{ path: '.envrc', base, now: null }])
    const refused = await at.run('apply', '--undo')
    expect(existsSync(path.join(at.stage.project, '.envrc'))).toBe(false)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('not done on this machine') as string])
    expect((await at.run('apply', '--undo', '--run-later')).code).toBe(0)
    expect(readFileSync(path.join(at.stage.project, '.envrc'), 'utf8')).toBe(evil)
  })

  it('a branch deletes only files and submodules that were chosen for deletion', async () => {
    const shapes = 'cat > /dev/null; rm gone; mkdir gone; echo in > gone/inner; mkdir file; mv code file/a; mv file code'
    using at = await makeProjectStage(who, { alice: `${shapes}; echo new > sub/new` }, undefined, [])
    // A submodule that is not checked out in the work tree: an empty directory.
    at.git('update-index', '--add', '--cacheinfo', `160000,${at.git('rev-parse', 'HEAD').trim()},sub`)
    at.git('-c', 'user.name=A', '-c', 'user.email=a@host.example', 'commit', '-qm', 'a submodule')
    const file = path.join(at.contest, 'project.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), commit: at.git('rev-parse', 'HEAD').trim() }))
    mkdirSync(path.join(at.contest, 'start/sub'))
    at.stage.own()
    await at.run('run')
    for (const each of ['gone/*', 'code/*', 'sub/new']) {
      const refused = await at.run('apply', 'alice', '--branch', 'try', '--path', each)
      expect([refused.code, refused.stderr], each).toEqual([1, expect.stringContaining('something else is at') as string])
    }
    const whole = await at.run(
      'apply',
      'alice',
      '--branch',
      'try',
      ...['gone', 'gone/inner', 'code', 'code/a'].map((each) => `--path=${each}`),
    )
    expect(whole.code, whole.stderr).toBe(0)
    expect(at.git('diff', '--no-renames', '--name-status', 'HEAD', 'try')).toBe('D\tcode\nA\tcode/a\nD\tgone\nA\tgone/inner\n')
  })

  it('a branch and a commit are made in the project, even if git was pointed to another repository', async () => {
    using at = await makeProjectStage(who, { alice })
    const other = path.join(at.stage.root, 'other')
    cpSync(at.stage.project, other, { recursive: true, verbatimSymlinks: true })
    at.stage.own()
    await at.run('run')
    // The environment of a program that a hook or `git rebase --exec` runs.
    at.stage.env['GIT_DIR'] = path.join(other, '.git')
    at.stage.env['GIT_INDEX_FILE'] = path.join(other, '.git/index')
    expect((await at.run('apply', 'alice', '--branch', 'try')).code).toBe(0)
    const committed = await at.run('apply', 'alice', '--commit', '-m', 'mine')
    expect(committed.code, committed.stderr).toBe(0)
    expect([
      at.git('log', '--format=%s', 'main'),
      at.git('status', '--short'),
      at.git('branch', '--list', '--format=%(refname:short)'),
    ]).toEqual(['mine\nfirst\n', '', 'main\ntry\n'])
    expect(existsSync(path.join(other, '.git/refs/heads/try'))).toBe(false)
  })
})
