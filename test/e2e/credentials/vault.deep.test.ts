import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { command, inCell, ordinary, startPaddock } from '../../support/cli.ts'
import { canary, passphrase, vaultStage } from '../../support/vault-stage.ts'

describe.each(ordinary)('paddock vault, as %s', (who) => {
  const place = vaultStage(who)
  const { vault, made, names } = place

  it('input that a terminal is asked for is not echoed; --reveal shows a value only in a terminal', async () => {
    const atTerminal = async (args: readonly string[], typed: readonly string[]): Promise<string> => {
      const [program = '', ...rest] = command(who, ['vault', ...args])
      const terminal = spawnInTerminal(program, [...rest], { cols: 200, cwd: place.stage.project, env: place.stage.env })
      let said = ''
      let asked = 0
      terminal.onData((text) => {
        said += text
        const questions = said.split(/: (?=\r?\n?)/).length - 1
        for (; asked < Math.min(questions, typed.length); asked++) terminal.write(`${typed[asked]}\r`)
      })
      return new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve(`${exitCode} ${said}`)))
    }
    const differ = await atTerminal(['init'], [passphrase, 'correct horse battery stable'])
    place.said.push(differ)
    expect(differ).toMatch(/^2 .*are not the same; nothing was changed/s)
    expect(existsSync(place.file)).toBe(false)
    for (const [args, typed] of [
      [['init'], [passphrase, passphrase]],
      [['unlock'], [passphrase]],
      [['set', 'KEY', '--host', 'a.example'], [`${canary}X\u007f`]],
    ] as const) {
      const said = await atTerminal(args, typed)
      place.said.push(said)
      expect(said).toMatch(/^0 /)
    }
    expect(await atTerminal(['show', 'KEY', '--reveal'], [])).toBe(`0 ${canary}\r\n`)
    place.said.push(await atTerminal(['set', 'KEY'], ['\u0003']))
    expect(place.said.at(-1)).toMatch(/^130 .*Nothing was changed/s)
    expect(await atTerminal(['show', 'KEY', '--reveal'], [])).toBe(`0 ${canary}\r\n`)
    const plain = path.join(place.stage.root, 'paddock/plain.json')
    place.said.push(await atTerminal(['export', '--to', plain, '--plain', '--reveal'], [passphrase]))
    expect(JSON.parse(readFileSync(plain, 'utf8'))).toMatchObject({ entries: [{ name: 'KEY', value: canary }] })
    expect(statSync(plain).mode & 0o777).toBe(0o600)
  })

  it('no argument and no environment of any process holds the value or the passphrase', async () => {
    await made()
    const setting = startPaddock(place.stage, ['vault', 'set', 'KEY', '--host', 'a.example'])
    setting.stdin?.write(canary)
    const unlocking = startPaddock(place.stage, ['vault', 'unlock'])
    unlocking.stdin?.write(`${passphrase}\n`)
    let agents = 0
    for (let look = 0; look < 8; look++) {
      await setTimeout(50)
      for (const pid of readdirSync('/proc').filter((each) => /^\d+$/.test(each) && Number(each) !== process.pid)) {
        for (const each of ['cmdline', 'environ']) {
          let text = ''
          try {
            text = readFileSync(`/proc/${pid}/${each}`, 'latin1')
          } catch {}
          if (text.includes('vault\u0000agent')) agents += 1
          for (const secret of [canary, passphrase]) expect(text.includes(secret), `/proc/${pid}/${each}`).toBe(false)
        }
      }
    }
    expect(agents).toBeGreaterThan(0)
    for (const each of [setting, unlocking]) {
      each.stdin?.end()
      expect((await once(each, 'close'))[0]).toBe(0)
    }
    expect(await names()).toEqual(['KEY'])
  })

  it('the time it is unlocked for is the time; a killed keeper leaves it locked', async () => {
    await made(false)
    expect((await vault(['unlock', '--for', '2s'], `${passphrase}\n`)).code).toBe(0)
    for (let round = 0; round < 200 && (await vault(['list'])).code === 0; round++) await setTimeout(50)
    expect((await vault(['list'])).stderr).toContain('The vault is locked')
    for (const wrong of ['0s', '2d', 'soon']) expect((await vault(['unlock', '--for', wrong], `${passphrase}\n`)).code).toBe(2)

    await vault(['unlock'], `${passphrase}\n`)
    const directory = path.join(place.stage.root, 'paddock/state/vault')
    const keeper = readdirSync('/proc').find((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('vault\u0000agent') &&
          readFileSync(`/proc/${pid}/environ`, 'latin1').includes(place.stage.root)
        )
      } catch {
        return false
      }
    })
    process.kill(Number(keeper), 'SIGKILL')
    while (existsSync(`/proc/${keeper}/cwd`)) await setTimeout(10)
    expect((await vault(['list'])).code).toBe(125)
    expect(readdirSync(directory)).toContain('agent.sock')
    expect((await vault(['unlock'], `${passphrase}\n`)).code).toBe(0)
    expect((await vault(['list'])).code).toBe(0)
  })

  it('a file that is deleted while it is unlocked comes back with the next set, or with unlock', async () => {
    await made()
    await vault(['set', 'ONE', '--host', 'a.example'], canary)
    rmSync(path.dirname(place.file), { recursive: true })
    expect((await vault(['init'], `${passphrase}\n`)).stderr).toContain('is still unlocked in memory')
    expect((await vault(['set', 'TWO', '--host', 'a.example'], canary)).code).toBe(0)
    expect(existsSync(place.file)).toBe(true)
    rmSync(place.file)
    expect((await vault(['unlock'], `${passphrase}\n`)).stderr).toContain('was written again from memory')
    await vault(['lock'])
    expect((await vault(['list'], `${passphrase}\n`)).stdout).toMatch(/^ONE .*\nTWO /)
  })

  it('several commands that set at once lose nothing', async () => {
    await made()
    const all = ['A', 'B', 'C', 'D']
    const ran = await Promise.all(all.map((name) => vault(['set', name, '--host', 'a.example'], canary, name === 'A')))
    expect(ran.map((each) => each.code)).toEqual([0, 0, 0, 0])
    expect(await names()).toEqual(all)
  })

  it('looser modes are refused, with the line that fixes them', async () => {
    await made()
    for (const [where, mode, line] of [
      [place.file, 0o644, `chmod 600 ${place.file}`],
      [path.dirname(place.file), 0o755, `chmod 700 ${path.dirname(place.file)}`],
    ] as const) {
      const right = statSync(where).mode & 0o777
      chmodSync(where, mode)
      const ran = await vault(['unlock'], `${passphrase}\n`)
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(line)])
      expect((await vault(['set', 'X', '--host', 'a.example'], canary)).code).toBe(2)
      expect(statSync(where).mode & 0o777).toBe(mode)
      chmodSync(where, right)
    }
  })

  it('export and rekey: another key, never over what is there, never plain to a program', async () => {
    await made()
    await vault(['set', 'KEY', '--host', 'a.example'], canary)
    const identity = await generateX25519Identity()
    const out = path.join(place.stage.root, 'paddock/out.age')
    const to = ['export', '--to', out, '--recipient', await identityToRecipient(identity)]
    expect(JSON.parse((await vault([...to, '--json'], `${passphrase}\n`)).stdout)).toMatchObject({ entries: 1, lockedBy: 'recipient' })
    expect(readFileSync(out, 'latin1')).toMatch(/^age-encryption\.org\/v1\n-> X25519 /)
    const before = readFileSync(out)
    expect((await vault(to, `${passphrase}\n`)).stderr).toContain('it already exists')
    expect(readFileSync(out)).toEqual(before)
    for (const [more, code] of [
      [['--plain'], 2],
      [['--plain', '--reveal'], 2],
      [['--recipient', 'age1nobody'], 2],
    ] as const) {
      expect((await vault(['export', '--to', `${out}2`, ...more], `${passphrase}\n`)).code).toBe(code)
      expect(existsSync(`${out}2`)).toBe(false)
    }
    expect((await vault(['rekey'], `${passphrase}\nshort\n`)).stderr).toContain('at least 8 characters')
    expect((await vault(['rekey'], `not the passphrase\nanother passphrase\n`)).code).toBe(2)
    expect((await vault(['rekey'], `${passphrase}\nanother passphrase\n`)).code).toBe(0)
    expect((await vault(['list'], `${passphrase}\n`)).code).toBe(2)
    expect((await vault(['list'], 'another passphrase\n')).stdout).toMatch(/^KEY /)
  })

  it('no cell sees the vault, or the process that keeps it unlocked', async () => {
    await made()
    const root = path.join(place.stage.root, 'paddock')
    const ran = await inCell(
      place.stage,
      `ls ${root}/config ${root}/state/vault 2>&1; cat ${place.file} ${root}/state/vault/agent.sock 2>&1; echo end`,
    )
    expect(ran.stdout).not.toMatch(/vault\.age$|agent\.sock$/m)
    expect(ran.stdout.match(/No such file|Permission denied/g)?.length).toBeGreaterThanOrEqual(3)
    const mounted = await inCell(place.stage, 'true', { args: ['--ro', path.join(root, 'state/vault')] })
    expect(mounted.code).toBe(2)
  })
})
