import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { beforeEach, describe, expect, it } from 'vitest'
import { recipientKey } from '../../src/credentials/vault/age-key.ts'
import { initVault } from '../../src/credentials/vault/vault.ts'
import { temporary } from '../support/temporary.ts'
import { passphrase, quickKey, unlocked, wish } from './vault-lab.ts'

const fixture = fileURLToPath(new URL('../fixtures/vault-writer.ts', import.meta.url))
const writer = (directory: string, prefix: string, count: number): ChildProcess =>
  spawn(process.execPath, [fixture, directory, passphrase, prefix, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] })

describe('a vault and several processes', () => {
  it('three that set at once lose nothing', async () => {
    await using place = await temporary()
    using _ = await initVault(place.path, quickKey())
    const children = ['a', 'b', 'c'].map((prefix) => writer(place.path, prefix, 12))
    for (const each of children) each.stdout?.resume()
    const codes = await Promise.all(children.map(async (each) => (await once(each, 'close'))[0]))
    expect(codes).toEqual([0, 0, 0])
    using vault = await unlocked(place.path)
    expect(vault.list().map((each) => each.name)).toHaveLength(36)
  })

  it('kill -9 at any moment of a set leaves the old or the new; what it left behind goes with the next change', async () => {
    await using place = await temporary()
    using vault = await initVault(place.path, quickKey())
    for (let round = 0; round < 12; round++) {
      const child = writer(place.path, `r${round}-`, 1_000)
      let done = -1
      const dead = once(child, 'close')
      child.stdout?.on('data', (chunk) => {
        for (const line of String(chunk).trim().split('\n')) if (/^\d+$/.test(line)) done = Number(line)
        // Each time at a different point of the next one.
        if (done >= 1) setTimeout(() => child.kill('SIGKILL'), round)
      })
      await dead
      await vault.refresh()
      const names = vault.list().filter((each) => each.name.startsWith(`r${round}-`))
      // All entries that it reported as stored are there, and possibly the next one.
      expect([done + 1, done + 2]).toContain(names.length)
      for (const { name } of names) await vault.remove(name)
    }
    expect(readdirSync(place.at('vault')).sort()).toEqual(['lock.db', 'vault.age'])
    expect(vault.list()).toEqual([])
  })
})

describe('a vault and a writer that is killed while it writes', () => {
  it('is as it was, to the byte, or whole and new', async () => {
    await using place = await temporary()
    using vault = await initVault(place.path, quickKey())
    // Large enough that writing takes longer than noticing that it has started.
    for (let each = 0; each < 40; each++) await vault.set(wish(`large${each}`, 'x'.repeat(65_000)))
    let torn = 0
    let count = 40
    for (let round = 0; round < 6; round++) {
      const before = readFileSync(vault.file)
      const seen = statSync(vault.file, { bigint: true }).mtimeNs
      const child = writer(place.path, `r${round}-`, 1)
      const dead = once(child, 'close')
      await once(child.stdout ?? child, 'data')
      const until = performance.now() + 20_000
      const begun = (): boolean =>
        readdirSync(place.at('vault')).some((each) => each.endsWith('.tmp')) || statSync(vault.file, { bigint: true }).mtimeNs !== seen
      while (!begun() && performance.now() < until);
      child.kill('SIGKILL')
      await dead
      if (readdirSync(place.at('vault')).some((each) => each.endsWith('.tmp'))) torn += 1
      const now = (await unlocked(place.path)).list().length
      expect(now).toBe(readFileSync(vault.file).equals(before) ? count : count + 1)
      count = now
    }
    expect(torn).toBeGreaterThan(0)
    await vault.set(wish('after', 'v'))
    expect(readdirSync(place.at('vault')).sort()).toEqual(['lock.db', 'vault.age'])
  })
})

describe('Debian’s age', () => {
  beforeEach(({ skip }) => skip(!existsSync('/usr/bin/age'), 'needs the program age: apt install age'))
  /** Runs age, which only asks at a terminal. */
  const age = async (args: readonly string[], typed: string | null): Promise<string> => {
    const terminal = spawnInTerminal('/usr/bin/age', [...args], { cols: 200 })
    let said = ''
    terminal.onData((text) => {
      const before = said.includes('passphrase')
      said += text
      if (typed !== null && !before && said.includes('passphrase')) terminal.write(`${typed}\r`)
    })
    return new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve(`${exitCode} ${said}`)))
  }

  it('opens the file with the passphrase, and with no other', async () => {
    await using place = await temporary()
    using vault = await initVault(place.path, quickKey())
    await vault.set(wish('KEY', 'the value\nin lines'))
    const out = place.at('plain.json')
    expect(await age(['-d', '-o', out, vault.file], passphrase)).toMatch(/^0 /)
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      schemaVersion: 1,
      entries: [{ name: 'KEY', value: 'the value\nin lines', hosts: ['api.example.com'] }],
    })
    expect(await age(['-d', vault.file], 'not this one')).toMatch(/^1 .*incorrect passphrase/s)
  })

  it('opens an exported file with the identity that it is for', async () => {
    await using place = await temporary()
    using vault = await initVault(place.path, quickKey())
    await vault.set(wish('KEY', 'the value'))
    const identity = await generateX25519Identity()
    writeFileSync(place.at('identity'), `${identity}\n`)
    const key = recipientKey(await identityToRecipient(identity))
    if (key === null) throw new Error('no key')
    writeFileSync(place.at('exported.age'), await vault.export(key))
    const said = await age(['-d', '-i', place.at('identity'), place.at('exported.age')], null)
    expect(said).toMatch(/^0 .*"value": "the value"/s)
  })

  it('and Paddock opens what age wrote', async () => {
    await using place = await temporary()
    using vault = await initVault(place.path, quickKey())
    await vault.set(wish('KEY', 'the value'))
    const plain = place.at('plain.json')
    writeFileSync(plain, vault.plain())
    const terminal = spawnInTerminal('/usr/bin/sh', ['-c', 'exec age -p -o "$0" "$1"', place.at('by-age'), plain], { cols: 200 })
    let asked = 0
    terminal.onData((text) => {
      if (!/assphrase/.test(text) || asked >= 2) return
      asked += 1
      terminal.write(`${passphrase}\r`)
    })
    await new Promise<void>((resolve) => terminal.onExit(() => resolve()))
    writeFileSync(vault.file, readFileSync(place.at('by-age')))
    using again = await unlocked(place.path)
    expect(again.get('KEY').text()).toBe('the value')
  })
})
