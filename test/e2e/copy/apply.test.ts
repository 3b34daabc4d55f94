import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

describe.each(everyone)('paddock apply, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
    stage.put('kept', 'kept\n')
    stage.own()
  })
  afterEach(() => stage[Symbol.dispose]())

  const inCopy = (script: string) => inCell(stage, script, { args: ['--copy'] })
  const git = (...args: string[]) => execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, ...args]).toString()
  const copies = (): string[] => {
    const directory = path.join(stage.root, 'paddock/state/copies')
    return existsSync(directory) ? readdirSync(directory).filter((each) => !each.endsWith('.lock')) : []
  }

  it('runs no program that the copy brings into a directory of PATH', async () => {
    const mark = path.join(stage.root, 'ran-on-the-host')
    const names = ['sync', 'git', 'ps', 'prlimit']
    stage.put('bin/there', '')
    for (const each of names) {
      writeFileSync(path.join(stage.project, 'bin', each), `#!/bin/sh\necho ${each} >> ${mark}\n`)
      chmodSync(path.join(stage.project, 'bin', each), 0o755)
    }
    stage.own()
    chmodSync(stage.root, 0o777)
    const env = { PATH: `${stage.project}/bin:${stage.env['PATH']}` }
    await inCell(stage, 'echo new > new; for each in sync git ps prlimit; do echo "# more" >> bin/$each; done', { args: ['--copy'], env })
    const applied = await paddock(stage, ['apply', '--run-later'], { env })
    expect(applied.stdout).toContain('wrote    bin/sync')
    await inCell(stage, 'true', { args: ['--copy'], env })
    expect(existsSync(mark)).toBe(false)
  })

  it('keeps a copy with work that was not applied, and reports what it is', async () => {
    git('init', '-q')
    stage.put('.gitignore', '*.log\n')
    stage.own()
    await inCopy('echo new > new; echo log > work.log; truncate -s 9G giant; printf x > "$(printf \'bad\\377\')"; mkfifo pipe')
    const applied = await paddock(stage, ['apply'])
    expect([applied.code, applied.stdout]).toEqual([0, 'wrote    new\n'])
    const id = copies()[0] ?? 'no copy'
    expect(applied.stderr).toContain('giant (it, or all that is new together, is too large)')
    expect(applied.stderr).toContain('1 new file that git ignores')
    expect(applied.stderr).toContain(`deleted with it by: paddock discard ${id}`)
    expect(applied.stderr).not.toContain('all of it is in the project')
    const json = JSON.parse((await paddock(stage, ['apply', '--json'])).stdout) as Record<string, unknown>
    expect(json).toMatchObject({ kept: true, left: 0, leftOut: 3, ignored: 1 })
    expect((await paddock(stage, ['discard', id])).code).toBe(0)
    expect(copies()).toEqual([])
    await inCopy('echo more >> new')
    expect((await paddock(stage, ['apply'])).stderr).toContain('is deleted; everything is in the project')
    expect(copies()).toEqual([])
  })
})
