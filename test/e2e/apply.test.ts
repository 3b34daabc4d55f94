import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../support/cli.ts'

describe.each(everyone)('paddock apply, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
    stage.put('kept', 'kept\n')
    stage.own()
  })
  afterEach(() => stage[Symbol.dispose]())

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
})
