import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'

describe.each(everyone)('as %s, a project with very many', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
    execFileSync('git', ['init', '-q', stage.project])
  })
  afterEach(() => stage[Symbol.dispose]())

  it('repositories starts once the directory that the hint names is read-only, and that is protected with all directories above it', async () => {
    const store = path.join(stage.project, 'deep/store')
    for (let i = 0; i < 200; i++) execFileSync('git', ['init', '-q', path.join(store, `${i}`)])
    stage.own()
    const refused = await paddock(stage, ['run', '--', 'true'])
    expect(refused).toMatchObject({ code: 125 })
    expect(refused.stderr).toContain(`the largest first: --ro ${stage.project}/deep. Or work in a smaller directory of it`)
    const script =
      'touch deep/store/x; for f in deep/store/1 deep/store deep; do perl -e \'rename shift, "y" or die "$!\\n"\' $f; done; echo work > deep/file'
    const allowed = await paddock(stage, ['run', '--ro', store, '--', 'sh', '-c', script])
    expect(allowed).toMatchObject({ code: 0 })
    expect(allowed.stderr.match(/Read-only file system|Device or resource busy|Invalid cross-device link/g)).toHaveLength(4)
    expect(stage.read('deep/file')).toBe('work\n')
    expect(stage.read('deep/store/1/.git/HEAD')).toContain('ref:')
    expect((await paddock(stage, ['run', '--copy', '--', 'true'])).stderr).toContain(`--ro ${stage.project}/deep.`)
    expect(await paddock(stage, ['run', '--copy', '--ro', store, '--', 'sh', '-c', 'echo more > deep/file'])).toMatchObject({ code: 0 })
    expect(await paddock(stage, ['apply'])).toMatchObject({ code: 0 })
    expect(stage.read('deep/file')).toBe('more\n')
  })
})
