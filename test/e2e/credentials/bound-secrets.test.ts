import { expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

test.each(everyone)('a secret is a placeholder in the cell, and what is wrong with one is a sentence, as %s', async (who) => {
  using stage = makeStage(who)
  const env = { REAL_TOKEN: 'ghp_canarycanarycanarycanarycanary0123' }
  const run = (...args: string[]) => paddock(stage, ['run', ...args], { env })
  const ran = await run('--secret', 'TOKEN=env:REAL_TOKEN@api.example.com', '--', 'sh', '-c', 'echo $TOKEN; env; cat /etc/paddock/*')
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stdout).toMatch(/^ghp_[A-Za-z0-9]{32,}\n/)
  expect(ran.stdout + ran.stderr).not.toContain('canary')
  expect(ran.stderr).toContain('$TOKEN goes only to api.example.com, which this cell does not reach (--allow api.example.com)')
  const plan = await run(
    '--dry-run',
    '--json',
    '--secret',
    'TOKEN=env:REAL_TOKEN@api.example.com',
    '--allow',
    'api.example.com',
    '--',
    'true',
  )
  expect(JSON.parse(plan.stdout)).toMatchObject({
    credentials: [{ name: 'TOKEN', hosts: [{ host: 'api.example.com', port: 443, tls: true }] }],
    egress: { entries: [{ host: 'api.example.com', inspect: { rules: [] } }] },
  })
  const wrong = [
    [['--secret', 'TOKEN=env:REAL_TOKEN'], 2, /--secret TOKEN: no allowed host is given\.\n *hint: Name its hosts/],
    [['--secret', 'TOKEN=env:NOT_SET@a.example.com'], 2, /env:NOT_SET: this variable is not set/],
    [['--secret', 'TOKEN=vault:none'], 2, /vault/],
    [['--secret', 'ghp_canarycanarycanary'], 2, /--secret: this is not NAME=REF/],
    [['--credentials', 'placeholders'], 2, /--credentials placeholders: there is no such way/],
  ] as const
  for (const [args, code, sentence] of wrong) {
    const refused = await run(...args, ...(args[0] === '--credentials' ? ['claude'] : ['--', 'true']))
    expect(refused.stderr).not.toContain('canary')
    if (args[0] === '--credentials' && refused.code === 127) continue
    expect([refused.code, refused.stderr], args.join(' ')).toEqual([code, expect.stringMatching(sentence)])
  }
})
