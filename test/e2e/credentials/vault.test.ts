import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { canary, passphrase, vaultStage } from '../../support/vault-stage.ts'

describe.each(everyone)('7: paddock vault, as %s', (who) => {
  const place = vaultStage(who)
  const { vault, made, names } = place

  it('init, set, list, show, rm, export; with a passphrase each time, and without one while it is unlocked', async () => {
    await made(false)
    expect(readFileSync(place.file, 'latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S{22} 18\n/)
    expect([statSync(place.file).mode & 0o777, statSync(path.dirname(place.file)).mode & 0o777]).toEqual([0o600, 0o700])
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
    expect([without.code, without.stderr]).toEqual([
      125,
      expect.stringContaining('paddock vault unlock. Or give the passphrase with --passphrase-fd'),
    ])
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
    const out = path.join(place.stage.root, 'paddock/out.age')
    for (const [input, message] of [
      ['', 'paddock vault export needs the passphrase of the vault, even while it is unlocked'],
      [`${passphrase}\n`, 'No passphrase for the exported file was given'],
    ] as const) {
      const refused = await vault(['export', '--to', out], input)
      expect([refused.code, refused.stderr]).toEqual([input === '' ? 125 : 2, expect.stringContaining(message)])
      expect(refused.stderr).toMatch(/hint: .*standard input.*--new-passphrase-fd/)
    }
    expect((await vault(['export', '--to', out], `${passphrase}\nanother passphrase\n`)).code).toBe(0)
    expect((await vault(['lock'])).stderr).toContain('the vault is locked')
    expect((await vault(['list'])).code).toBe(125)
    expect(await names().catch(() => 'locked')).toBe('locked')
  })
})
