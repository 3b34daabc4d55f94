import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { CellReport } from '../../../src/cell/report.ts'
import { everyone, inCell, makeStage, paddock } from '../../support/cli.ts'

test.each(everyone)('B1: a new .kiro is quarantined and named, one of the user is read-only, as %s', async (who) => {
  using stage = makeStage(who)
  stage.put('ours/.kiro/settings/mcp.json', 'as it was')
  stage.own()
  const script = `mkdir -p .kiro/hooks sub/.kiro; echo x > .kiro/hooks/x; echo x > sub/.kiro/x; echo bad > ours/.kiro/settings/mcp.json`
  const ran = await paddock(stage, ['run', '--', 'sh', '-c', script])
  expect(ran.stderr).toContain('ours/.kiro/settings/mcp.json: Read-only file system')
  for (const each of ['.kiro', 'sub/.kiro']) {
    expect(ran.stderr).toContain(`quarantined (a tool on your machine would run it): ${each} → ${each}.quarantined`)
    expect(existsSync(path.join(stage.project, each))).toBe(false)
  }
  expect(stage.read('ours/.kiro/settings/mcp.json')).toBe('as it was')
})

test.each(everyone)('B2: a new mise.dev.toml is quarantined, an existing .config/mise is read-only, as %s', async (who) => {
  using stage = makeStage(who)
  stage.put('.config/mise/config.toml', 'as it was')
  stage.own()
  const ran = await inCell(stage, 'echo x > mise.dev.toml; echo bad > .config/mise/config.toml; mv .config away; true')
  expect(ran.code).toBe(0)
  expect([readdirSync(stage.project).sort(), stage.read('.config/mise/config.toml')]).toEqual([
    ['.config', 'mise.dev.toml.quarantined'],
    'as it was',
  ])
})

test.each(everyone)(
  'A11: a changed package.json is first in the last lines and in the report, before 1,500 new scripts, as %s',
  async (who) => {
    using stage = makeStage(who)
    stage.put('package.json', '{}')
    stage.own()
    const script = `mkdir s sub; n=0; while [ $n -lt 1500 ]; do : > s/$n.sh; n=$((n+1)); done
    n=0; while [ $n -lt 30 ]; do mkdir -p d$n/.idea; n=$((n+1)); done; echo x > sub/.envrc; echo '{ }' > package.json`
    const ran = await paddock(stage, ['run', '--report', 'report.json', '--', 'sh', '-c', script])
    expect(ran.stderr).toMatch(/can run on your machine: package\.json \(npm runs its scripts\), 1500 in s\/ \(a shell script\)\n/)
    expect(ran.stderr.split('\n').filter((each) => each.includes('quarantined ('))).toEqual([
      expect.stringContaining('sub/.envrc → sub/.envrc.quarantined'),
      expect.stringMatching(/\/\.idea → .*, and 29 more of \.idea$/),
    ])
    const { changes } = JSON.parse(stage.read('report.json')) as CellReport
    expect(changes?.runsLater[0]).toEqual({ path: 'package.json', why: 'npm runs its scripts' })
    expect([changes?.runsLater.length, changes?.quarantined.length, changes?.truncated]).toEqual([1501, 31, true])
  },
)
