import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { everyone, startPaddock } from '../../support/cli.ts'
import { makeProjectStage } from '../../support/project-stage.ts'

const many = 'cat > /dev/null; for i in $(seq 200); do mkdir -p d$((i % 7)); echo $i > d$((i % 7))/f$i; done; echo changed > code; rm gone'

describe.each(everyone)('contest apply in trouble, as %s', (who) => {
  it('after kill -9 at any point the project has all of it or nothing, and the work can be taken back', async () => {
    using at = await makeProjectStage(who, { alice: many })
    await at.run('run')
    for (let round = 0; round < 12; round += 1) {
      const child = startPaddock(at.stage, ['contest', 'apply', at.contest, 'alice'])
      const ended = new Promise((resolve) => child.on('exit', resolve))
      const begun = (): boolean => readdirSync(at.stage.project).some((each) => each.startsWith('.paddock-apply-'))
      while (child.exitCode === null && !begun()) await sleep(2)
      await sleep(round * 12)
      child.kill('SIGKILL')
      await ended
      // This completes the interrupted apply.
      expect((await at.run('apply', 'alice', '--dry-run')).code).toBe(0)
      const lines = at
        .git('status', '--short', '-uall')
        .split('\n')
        .filter((each) => each !== '')
      expect([0, 202]).toContain(lines.length)
      if (lines.length > 0) {
        const undone = await at.run('apply', '--undo')
        expect(undone.code, undone.stderr).toBe(0)
      }
      expect(at.git('status', '--short', '-uall')).toBe('')
    }
  })

  it('a project.json or applied.json that leads elsewhere is refused, and nothing is written', async () => {
    using at = await makeProjectStage(who, { alice: many })
    await at.run('run')
    const file = path.join(at.contest, 'project.json')
    const good = JSON.parse(readFileSync(file, 'utf8'))
    const outside = path.join(at.stage.root, 'outside')
    writeFileSync(outside, 'mine\n')
    const entry = { ...good.entries.find((each: { path: string }) => each.path === 'gone'), path: '../outside' }
    for (const bad of [
      { ...good, entries: [...good.entries, entry] },
      { ...good, entries: [{ ...entry, path: '.git/config' }] },
      { ...good, project: '.' },
    ]) {
      writeFileSync(file, JSON.stringify(bad))
      at.stage.own()
      const refused = await at.run('apply', 'alice')
      expect([refused.code, refused.stderr]).toEqual([125, expect.stringContaining('project.json') as string])
    }
    // A different project than the one that was agreed to.
    writeFileSync(file, JSON.stringify({ ...good, project: at.stage.root }))
    at.stage.own()
    expect((await at.run('apply', 'alice')).stderr).toContain('--project')
    writeFileSync(file, JSON.stringify(good))
    const change = { path: '../outside', base: null, now: { ...entry, path: '../outside' } }
    writeFileSync(
      path.join(at.contest, 'applied.json'),
      JSON.stringify({
        schemaVersion: 1,
        applied: [{ copy: 'x', project: good.project, participant: 'alice', round: 1, tree: 'x', changes: [change] }],
      }),
    )
    at.stage.own()
    expect((await at.run('apply', '--undo')).code).toBe(125)
    expect([readFileSync(outside, 'utf8'), at.git('status', '--short'), existsSync(path.join(at.stage.project, 'gone'))]).toEqual([
      'mine\n',
      '',
      true,
    ])
  })
})
