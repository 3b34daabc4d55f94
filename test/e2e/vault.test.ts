import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Ran, type Stage } from '../support/cli.ts'

const passphrase = 'correct horse battery staple'
const canary = 'canary-value-41c7e2'

describe.each(everyone)('paddock vault, as %s', (who) => {
  let stage: Stage
  let file: string
  const everything: string[] = []
  beforeEach(() => {
    stage = makeStage(who)
    file = path.join(stage.root, 'paddock/config/vault/vault.age')
    writeFileSync(path.join(stage.root, 'pass'), `${passphrase}\n`)
    stage.own()
    everything.length = 0
  })
  afterEach(async () => {
    await paddock(stage, ['vault', 'lock'])
    stage[Symbol.dispose]()
    // Neither what was stored nor what opens it was ever said.
    expect(everything.join('\n')).not.toContain(canary)
    expect(everything.join('\n')).not.toContain(passphrase)
  })

  const vault = async (args: readonly string[], input = '', byDescriptor = false): Promise<Ran> => {
    const shell = byDescriptor ? { shell: `exec 3<${path.join(stage.root, 'pass')};` } : {}
    const ran = await paddock(stage, ['vault', ...args, ...(byDescriptor ? ['--passphrase-fd', '3'] : [])], { input, ...shell })
    everything.push(ran.stdout, ran.stderr)
    return ran
  }
  const made = async (unlock = true): Promise<void> => {
    expect((await vault(['init'], `${passphrase}\n`)).code).toBe(0)
    if (unlock) expect((await vault(['unlock'], `${passphrase}\n`)).code).toBe(0)
  }
  const names = async (): Promise<string[]> =>
    (JSON.parse((await vault(['list', '--json'])).stdout) as { entries: { name: string }[] }).entries.map((each) => each.name)

  it('init, set, list, show, rm; with a passphrase each time, and without one while it is unlocked', async () => {
    await made(false)
    expect(readFileSync(file, 'latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S{22} 18\n/)
    expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
    const set = await vault(
      ['set', 'KEY', '--host', 'api.example.com', '--place', 'header:authorization=Bearer', '--json'],
      `${canary}\n`,
      true,
    )
    expect(JSON.parse(set.stdout)).toMatchObject({
      entry: { name: 'KEY', bytes: canary.length, place: { in: 'header', scheme: 'Bearer' } },
    })
    expect((await vault(['list'], `${passphrase}\n`)).stdout).toMatch(
      /^KEY {2}api\.example\.com {2}· header:authorization=Bearer · 19 B · \d{4}-/,
    )
    const without = await vault(['set', 'KEY'], canary)
    expect([without.code, without.stderr]).toEqual([125, expect.stringContaining('paddock vault unlock; or give it with --passphrase-fd')])
    expect((await vault(['list'])).code).toBe(125)
    const wrong = await vault(['list'], 'quite another one\n')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('The passphrase does not open')])
    expect((await vault(['unlock'], 'quite another one\n')).code).toBe(2)

    const unlocked = await vault(['unlock', '--for', '5m', '--json'], `${passphrase}\n`)
    expect(Date.parse((JSON.parse(unlocked.stdout) as { until: string }).until) - Date.now()).toBeLessThanOrEqual(300_000)
    expect((await vault(['set', 'PEM', '--host', '*.example.com'], `line of ${canary}\nand another\n`)).code).toBe(0)
    expect(await names()).toEqual(['KEY', 'PEM'])
    expect((await vault(['show', 'PEM'])).stdout).toMatch(/hosts {4}\*\.example\.com\n.*\n {2}size {5}39 bytes\n/)
    const reveal = await vault(['show', 'KEY', '--reveal'])
    expect([reveal.code, reveal.stdout]).toEqual([2, ''])
    expect((await vault(['show', 'KEY', '--reveal', '--json'])).code).toBe(2)
    expect((await vault(['rm', 'KEY'])).code).toBe(0)
    expect((await vault(['rm', 'KEY'])).stderr).toContain('The vault holds no secret of the name "KEY".')
    expect((await vault(['lock'])).stderr).toContain('the vault is locked')
    expect((await vault(['list'])).code).toBe(125)
    expect(await names().catch(() => 'locked')).toBe('locked')
  })
})
