import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, inCell, makeStage } from '../../support/cli.ts'

const inner = 'bwrap --dev-bind / / --unshare-user --unshare-pid --unshare-net --cap-add ALL --'

describe.each(everyone)('a sandbox inside a cell, as %s', (who) => {
  test('is refused unless it was requested, and is reported when it runs', async () => {
    using stage = makeStage(who)
    const refused = await inCell(stage, `${inner} echo inside`)
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    const report = path.join(stage.root, 'report.json')
    writeFileSync(report, '')
    stage.own()
    const ran = await inCell(stage, `${inner} echo inside`, { args: ['--nested-sandbox', '--report', report] })
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, 'inside\n', ''])
    expect(JSON.parse(readFileSync(report, 'utf8')).degraded).toEqual(['nested-sandbox'])
  })

  test('loosens nothing of the cell around it', async () => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.project, '.git/hooks'), { recursive: true })
    writeFileSync(path.join(stage.project, '.git/HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(path.join(stage.project, '.git/config'), '[core]\n')
    stage.put('.envrc', 'as it was\n')
    stage.own()
    const script = [
      // Even with every capability in its own namespaces, the agent cannot unmount the cell's read-only mounts or make them writable.
      `umount .git/hooks && echo 'took a mount off'`,
      `mount -o remount,bind,rw .envrc && echo 'made a mount writable'`,
      `(echo x > .envrc) && echo 'wrote a protected file'`,
      `mount -t tmpfs none .git/hooks && echo x > .git/hooks/pre-commit && echo 'laid a mount over it, here only'`,
      `ls ${stage.home}/.. | grep -c paddock && echo 'saw the host'`,
      `ip route add default dev lo 2>/dev/null; ip -o link | wc -l`,
    ].join('\n')
    writeFileSync(path.join(stage.project, 'try.sh'), script)
    stage.own()
    const ran = await inCell(stage, `${inner} sh try.sh 2>/dev/null`, { args: ['--nested-sandbox', '--egress', 'allowlist'] })
    expect(ran.stdout).toContain('laid a mount over it, here only')
    expect(ran.stdout).not.toMatch(/took|made|wrote|saw the host/)
    expect(ran.stdout).toMatch(/^1$/m)
    expect(existsSync(path.join(stage.project, '.git/hooks/pre-commit'))).toBe(false)
    expect(stage.read('.envrc')).toBe('as it was\n')
  })
})
