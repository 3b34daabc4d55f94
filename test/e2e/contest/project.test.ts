import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone, paddock } from '../../support/cli.ts'
import { evenJudge } from '../../support/contest-bench.ts'
import { makeProjectStage } from '../../support/project-stage.ts'

const alice =
  'cat > /dev/null; sed -i s/two/2/ code; rm gone; mkdir -p new/deep; printf "a\\000b" > new/deep/data; chmod +x script; ls -l link > seen; echo x > .envrc; mkdir -p ignored; echo build > ignored/out'
const bob = 'cat > /dev/null; ls -a > /tmp/names; [ ! -e .git ] || exit 3; printf "one\\n" > code; rm link'

describe.each(everyone)('a contest from a project, as %s', (who) => {
  it('participants begin with a copy, judges see what changed, and the work is applied, and taken back', async () => {
    const judge = `[ "$(grep -c '^deleted file mode' /contest/changes/*.diff | cut -d: -f2 | sort -n | tail -1)" = 1 ] && grep -h '^-two' /contest/changes/*.diff > /tmp/both && [ "$(wc -l < /tmp/both)" = 2 ] || exit 9; ${evenJudge(5)}`
    using at = await makeProjectStage(who, { alice, bob }, judge)
    expect(existsSync(path.join(at.contest, 'start/ignored'))).toBe(false)
    expect(existsSync(path.join(at.contest, 'start/.git'))).toBe(false)
    const ran = await at.run('run', '--json')
    const summary = JSON.parse(ran.stdout)
    expect([ran.code, summary.ranking.length, summary.judges?.length ?? null], ran.stderr).toEqual([0, 2, 1])
    // Checks see the link that seals leave out, except for the participant who removed it.
    const checked = (name: string): string =>
      JSON.parse(readFileSync(path.join(at.contest, `rounds/1/sealed/${name}/checks.json`), 'utf8')).checks[0].result
    expect([checked('alice'), checked('bob')]).toEqual(['passed', 'failed'])
    expect((await at.run('diff', 'base', 'bob', '--stat')).stdout).toContain('modified  code  +0 -2\n')

    const looked = await at.run('apply', 'alice', '--dry-run')
    expect([looked.code, looked.stdout]).toEqual([
      0,
      [
        'added    .envrc · RUNS LATER: a tool of yours runs or obeys it',
        'modified code',
        'deleted  gone',
        'added    new/deep/data',
        'mode     script',
        'added    seen',
        '',
      ]
        .join('\n')
        .replace('a tool of yours runs or obeys it', /RUNS LATER: (.*)/.exec(looked.stdout)?.[1] ?? '?'),
    ])
    const refused = await at.run('apply', 'alice')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('.envrc') as string])
    expect(at.git('status', '--short')).toBe('')

    const applied = await at.run('apply', 'alice', '--path', 'code', '--path', 'new/**', '--path', 'gone', '--path', 'script', '--json')
    expect([applied.code, JSON.parse(applied.stdout)], applied.stderr).toMatchObject([
      0,
      { written: ['code', 'new/deep/data', 'script'], deleted: ['gone'], left: 2, ignored: 1, committed: null },
    ])
    expect(at.project('code')).toBe('one\n2\nthree\n')
    expect(lstatSync(path.join(at.stage.project, 'code')).mode & 0o777).toBe(0o664)
    expect(lstatSync(path.join(at.stage.project, 'script')).mode & 0o111).not.toBe(0)
    expect(readlinkSync(path.join(at.stage.project, 'link'))).toBe('code')
    expect(at.project('ignored/local')).toBe('mine\n')

    const undone = await at.run('apply', '--undo')
    expect(undone.code, undone.stderr).toBe(0)
    expect(at.git('status', '--short')).toBe('')
    expect(existsSync(path.join(at.stage.project, 'new'))).toBe(false)
    expect((await at.run('apply', '--undo')).stderr).toContain('Nothing of ')
    expect((await paddock(at.stage, ['review', '--list'])).stdout).toBe('')

    // In the contest's directory, the name is enough.
    const there = await paddock(at.stage, ['contest', 'apply', 'bob', '--dry-run'], { cwd: at.contest })
    expect([there.code, there.stdout]).toEqual([0, 'modified code\ndeleted  link\n'])
  })

  it('as a commit with trailers, as a branch, and as a patch that git takes', async () => {
    using at = await makeProjectStage(who, { alice, bob })
    await at.run('run')
    const head = at.git('rev-parse', 'HEAD')
    const branch = await at.run('apply', 'alice', '--branch', 'try-alice', '--run-later')
    expect([branch.code, branch.stderr]).toEqual([0, expect.stringContaining('on branch try-alice') as string])
    expect([at.git('rev-parse', 'HEAD'), at.git('status', '--short'), at.git('rev-parse', 'try-alice~1')]).toEqual([head, '', head])
    expect(at.git('diff', '--no-renames', '--name-status', 'HEAD', 'try-alice')).toBe(
      'A\t.envrc\nM\tcode\nD\tgone\nA\tnew/deep/data\nM\tscript\nA\tseen\n',
    )
    const tree = JSON.parse(readFileSync(path.join(at.contest, 'rounds/1/sealed/alice/seal.json'), 'utf8')).tree
    expect(at.git('log', '-1', '--format=%an <%ae>%n%B', 'try-alice')).toBe(
      `A Person <a@host.example>\nApply the work of alice in trial\n\nPaddock-Agent: command\nPaddock-Model: one of mine\nPaddock-Contest: trial, round 1, alice\nPaddock-Seal: ${tree}\n\n`,
    )
    expect((await at.run('apply', 'alice', '--branch', 'try-alice', '--run-later')).code).toBe(1)
    expect((await at.run('apply', 'alice', '--branch', '-x', '--run-later')).code).toBe(2)

    const patch = path.join(at.stage.root, 'alice.patch')
    expect((await at.run('apply', 'alice', '--patch', patch, '--run-later')).code).toBe(0)
    at.git('apply', patch)
    at.git('add', '-A')
    expect(at.git('diff', '--cached', 'try-alice')).toBe('')
    at.git('reset', '-q', '--hard')
    expect((await at.run('apply', 'alice', '--patch', patch, '--run-later')).code).toBe(1)

    const committed = await at.run('apply', 'bob', '--commit', '-m', 'Shorten the code')
    expect(committed.code, committed.stderr).toBe(0)
    expect(at.git('log', '-1', '--format=%s%n%(trailers:key=Paddock-Contest)')).toBe(
      'Shorten the code\nPaddock-Contest: trial, round 1, bob\n\n',
    )
    // The entry that bob removed is a link, and it existed in the base.
    expect(at.git('show', '--name-status', '--format=')).toBe('M\tcode\nD\tlink\n')
  })

  it('nothing is applied if the project has changed, or if the contest was not made from it', async () => {
    using at = await makeProjectStage(who, { alice, bob })
    await at.run('run')
    at.stage.put('code', 'mine\n')
    const moved = await at.run('apply', 'bob')
    expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining('no longer what was copied: code') as string])
    expect([at.project('code'), readlinkSync(path.join(at.stage.project, 'link'))]).toEqual(['mine\n', 'code'])
    expect((await at.run('apply', '--undo')).code).toBe(2)
    expect((await at.run('apply', 'bob', '--dry-run')).stdout).toContain('modified code · BASE MOVED')

    const copy = path.join(at.stage.root, 'copied')
    execFileSync('cp', ['-a', at.contest, copy])
    const foreign = await paddock(at.stage, ['contest', 'apply', copy, 'bob', '--path', 'link'])
    expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringContaining(`--project ${at.stage.project}`) as string])
    const named = await paddock(at.stage, ['contest', 'apply', copy, 'bob', '--path', 'link', '--project', at.stage.project])
    expect(named.code, named.stderr).toBe(0)
    expect(lstatSync(path.join(at.stage.project, 'link'), { throwIfNoEntry: false })).toBe(undefined)
  })

  it('with --ref the files are those of a commit', async () => {
    using at = await makeProjectStage(who, { alice, bob })
    const other = path.join(at.stage.root, 'other')
    at.stage.put('code', 'not committed\n')
    at.stage.put('more', 'new\n')
    const made = await paddock(at.stage, ['contest', 'new', other, '--from-project', at.stage.project, '--ref', 'main', '--json'])
    expect(JSON.parse(made.stdout)).toMatchObject({ project: at.stage.project, files: 5 })
    expect(readFileSync(path.join(other, 'start/code'), 'utf8')).toBe('one\ntwo\nthree\n')
    expect([existsSync(path.join(other, 'start/more')), readlinkSync(path.join(other, 'start/link'))]).toEqual([false, 'code'])
    const wrong = await paddock(at.stage, [
      'contest',
      'new',
      path.join(at.stage.root, 'third'),
      '--from-project',
      at.stage.project,
      '--ref',
      '--all',
    ])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is not a commit') as string])
    expect(existsSync(path.join(at.stage.root, 'third/contest.yaml'))).toBe(false)
  })

  it('a new round begins with the links, too', async () => {
    using at = await makeProjectStage(who, { alice: 'cat > /dev/null; cat link >> seen' })
    await at.run('run')
    writeFileSync(path.join(at.contest, 'FEEDBACK.md'), 'Once more.\n')
    at.stage.own()
    await at.run('refine')
    const applied = await at.run('apply', 'alice')
    expect(applied.code, applied.stderr).toBe(0)
    expect(at.project('seen')).toBe('one\ntwo\nthree\none\ntwo\nthree\n')
    expect(at.git('status', '--short')).toBe('?? seen\n')
  })
})
