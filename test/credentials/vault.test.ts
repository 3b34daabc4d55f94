import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { inspect } from 'node:util'
import { Encrypter } from 'age-encryption'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PassphraseKey } from '../../src/credentials/vault/age-key.ts'
import { initVault, openVault } from '../../src/credentials/vault/vault.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { isRoot } from '../support/cli.ts'
import { temporary } from '../support/temporary.ts'
import { passphrase, quickKey, refused, unlocked, wish } from './vault-lab.ts'

describe('the vault', () => {
  let place: Awaited<ReturnType<typeof temporary>>
  let file: string
  beforeEach(async () => {
    place = await temporary()
    file = place.at('vault', 'vault.age')
    using vault = await initVault(place.path, quickKey())
    await vault.set(wish('first', 'value-of-the-first'))
  })
  afterEach(() => place[Symbol.asyncDispose]())

  const bytes = (): Buffer => readFileSync(file)

  it('keeps values of any bytes, whom they are for, and where they belong', async () => {
    using vault = await unlocked(place.path)
    const odd = Buffer.from([0, 255, 10, 13, 0x80])
    await vault.set(
      wish('A.b-c_9', 'line one\nline two\n', {
        hosts: ['*.example.com', 'Other.Example.com.'],
        place: { in: 'header', name: 'authorization', scheme: 'Bearer' },
      }),
    )
    await vault.set(wish('odd', odd, { place: { in: 'basic', user: 'me' } }))
    using again = await unlocked(place.path)
    expect(again.get('A.b-c_9').text()).toBe('line one\nline two\n')
    expect(again.get('odd').use((each) => each.equals(odd))).toBe(true)
    expect(again.list().map(({ createdAt: _, updatedAt: __, ...rest }) => rest)).toEqual([
      {
        name: 'A.b-c_9',
        bytes: 18,
        hosts: ['*.example.com', 'other.example.com'],
        place: { in: 'header', name: 'authorization', scheme: 'Bearer' },
      },
      { name: 'first', bytes: 18, hosts: ['api.example.com'] },
      { name: 'odd', bytes: 5, hosts: ['api.example.com'], place: { in: 'basic', user: 'me' } },
    ])
    expect([statSync(file).mode & 0o777, statSync(place.at('vault')).mode & 0o777]).toEqual([0o600, 0o700])
    expect(inspect([again, again.list(), again.get('first')], { depth: 9, showHidden: true })).not.toContain('value-of')
  })

  it('a new value keeps hosts, place and birthday; a new name needs a host', async () => {
    using vault = await unlocked(place.path)
    const { createdAt } = await vault.set(wish('x', 'one', { place: { in: 'query', name: 'key' } }))
    const { hosts: _, ...bare } = wish('x', 'two')
    expect(await vault.set(bare)).toMatchObject({ createdAt, hosts: ['api.example.com'], place: { in: 'query', name: 'key' } })
    expect(vault.get('x').text()).toBe('two')
    expect((await refused(() => vault.set({ ...bare, name: 'y' }))).message).toMatch(/^y: no host is named/)
    await vault.remove('x')
    expect((await refused(() => vault.get('x'))).message).toBe('The vault holds no secret of the name "x".')
    expect((await refused(() => vault.get('frist'))).hint).toBe('Did you mean first?')
  })

  it.each<[string, Parameters<typeof wish>]>([
    ['a name with a slash', ['a/b', 'v']],
    ['an empty name', ['', 'v']],
    ['a name of 101', ['a'.repeat(101), 'v']],
    ['no value', ['a', '']],
    ['a value beyond 64 KiB', ['a', 'x'.repeat(65_537)]],
    ['a host with a port', ['a', 'v', { hosts: ['a.example:443'] }]],
    ['a URL', ['a', 'v', { hosts: ['https://a.example'] }]],
    ['every host', ['a', 'v', { hosts: ['*'] }]],
    ['every .com', ['a', 'v', { hosts: ['*.com'] }]],
    ['an address', ['a', 'v', { hosts: ['10.0.0.1'] }]],
    ['a header with a line break', ['a', 'v', { place: { in: 'header', name: 'x\r\ny' } }]],
  ])('refuses %s, and changes nothing', async (_, [name, value, more]) => {
    using vault = await unlocked(place.path)
    const before = bytes()
    expect(['BAD_INPUT']).toContain((await refused(() => vault.set(wish(name, value, more)))).code)
    expect(bytes()).toEqual(before)
    expect(vault.list().map((each) => each.name)).toEqual(['first'])
  })

  it('the largest value', async () => {
    using vault = await unlocked(place.path)
    await vault.set(wish('large', 'x'.repeat(65_536)))
    using again = await unlocked(place.path)
    expect(again.get('large').length).toBe(65_536)
  })

  it('a wrong passphrase is one sentence, and changes nothing', async () => {
    const before = bytes()
    const error = await refused(() => unlocked(place.path, 'a wrong passphrase'))
    expect([error.code, error.message]).toEqual(['WRONG_PASSPHRASE', `The passphrase does not open ${file}.`])
    expect(error.message + error.hint).not.toContain('wrong passphrase')
    expect(bytes()).toEqual(before)
  })

  it('a flipped bit anywhere is refused, and changes nothing', async () => {
    const whole = bytes()
    using vault = await unlocked(place.path)
    for (let at = 0; at < whole.length; at += 50) {
      for (const bit of [0, 7]) {
        const broken = Buffer.from(whole)
        broken[at] = (broken[at] ?? 0) ^ (1 << bit)
        writeFileSync(file, broken)
        const error = await refused(() => unlocked(place.path))
        expect(['FILES_FAILED', 'WRONG_PASSPHRASE'], `byte ${at}`).toContain(error.code)
        expect(error.hint).toBeTruthy()
        // An unlocked vault does not overwrite it either.
        await refused(() => vault.set(wish('new', 'v')))
        expect(bytes()).toEqual(broken)
      }
    }
    writeFileSync(file, whole)
    expect((await unlocked(place.path)).get('first').text()).toBe('value-of-the-first')
  })

  it('a file that was cut off anywhere is refused, and changes nothing', async () => {
    const whole = bytes()
    for (let size = 0; size < whole.length; size += 13) {
      writeFileSync(file, whole.subarray(0, size))
      const error = await refused(() => unlocked(place.path))
      expect(error.code, `${size} bytes`).toBe('FILES_FAILED')
      expect(bytes()).toEqual(whole.subarray(0, size))
    }
  })

  const locked = async (plain: string, factor = 4): Promise<Uint8Array> => {
    const encrypter = new Encrypter()
    encrypter.setPassphrase(passphrase)
    encrypter.setScryptWorkFactor(factor)
    return encrypter.encrypt(plain)
  }

  it.each<[string, () => Promise<Uint8Array | string> | string, RegExp, string]>([
    ['something else', () => 'my notes\n', /is not an age file; it was not changed\.$/, 'move it away'],
    ['an age file of a later format', () => 'age-encryption.org/v2\n-> x\n', /newer kind than this Paddock reads/, 'Update Paddock'],
    [
      'an age file for an SSH key',
      () => 'age-encryption.org/v1\n-> ssh-ed25519 abc def\nAAAA\n--- x\n',
      /keys of another kind/,
      'Restore it from a backup',
    ],
    [
      'a newer vault',
      () => locked('{"schemaVersion":2,"entries":{"a":"canary"}}'),
      /written by a newer Paddock \(schemaVersion 2; this one reads 1\)/,
      'Install the newer Paddock',
    ],
    ['other JSON', () => locked('{"canary":1}'), /its content is not a Paddock vault/, 'Restore it from a backup'],
    ['no JSON', () => locked('canary-canary'), /its content is not a Paddock vault/, 'Restore it from a backup'],
    [
      'an entry without hosts',
      () => locked('{"schemaVersion":1,"entries":[{"name":"canary","encoding":"text","value":"canary"}]}'),
      /not a Paddock vault \(entries\.0\.hosts\)/,
      'Restore it from a backup',
    ],
  ])('%s is refused in a sentence that quotes none of it, and left as it is', async (_, content, sentence, hint) => {
    const foreign = Buffer.from(await content())
    writeFileSync(file, foreign)
    const error = await refused(() => unlocked(place.path))
    expect([error.code, error.hint?.includes(hint)]).toEqual(['FILES_FAILED', true])
    expect(error.message).toMatch(sentence)
    expect(inspect(error, { depth: 9 })).not.toContain('canary')
    await refused(() => initVault(place.path, quickKey()))
    expect(bytes()).toEqual(foreign)
  })

  it('work that a file asks for is bounded', async () => {
    const asks = bytes()
      .toString('latin1')
      .replace(/^(-> scrypt \S+) 4$/m, '$1 30')
    writeFileSync(file, asks, 'latin1')
    expect((await refused(() => unlocked(place.path))).message).toMatch(/work factor of 30, more than the 20/)
  })

  it('a file that others may read, or own, is refused and not fixed', async ({ skip }) => {
    using vault = await unlocked(place.path)
    const each = async (path: string, mode: number, wanted: string): Promise<void> => {
      const right = statSync(path).mode & 0o777
      chmodSync(path, mode)
      for (const act of [() => unlocked(place.path), () => vault.set(wish('n', 'v'))]) {
        const error = await refused(act)
        expect([error.code, error.hint]).toEqual(['NOT_ALLOWED', expect.stringContaining(`chmod ${wanted} ${path}`)])
        expect(error.message).toContain(`has mode ${mode.toString(8)}`)
      }
      expect(statSync(path).mode & 0o777).toBe(mode)
      chmodSync(path, right)
    }
    for (const mode of [0o640, 0o604, 0o620, 0o666]) await each(file, mode, '600')
    for (const mode of [0o750, 0o701, 0o777]) await each(place.at('vault'), mode, '700')
    skip(!isRoot, 'needs root: files of other users')
    for (const path of [file, place.at('vault')]) {
      chownSync(path, 1_234, 1_234)
      expect((await refused(() => unlocked(place.path))).message).toContain('belongs to uid 1234')
      expect(statSync(path).uid).toBe(1_234)
      chownSync(path, 0, 0)
    }
    await vault.set(wish('n', 'v'))
  })

  it('no link is followed, and nothing but a file is read', async () => {
    writeFileSync(place.at('elsewhere'), bytes(), { mode: 0o600 })
    rmSync(file)
    symlinkSync(place.at('elsewhere'), file)
    expect((await refused(() => unlocked(place.path))).message).toContain('is not a plain file')
    rmSync(file)
    mkdirSync(file)
    expect((await refused(() => unlocked(place.path))).message).toContain('is not a plain file')
    rmSync(place.at('vault'), { recursive: true })
    mkdirSync(place.at('other'), { mode: 0o700 })
    symlinkSync(place.at('other'), place.at('vault'))
    expect((await refused(() => initVault(place.path, quickKey()))).message).toContain('is not a directory')
    expect(readdirSync(place.at('other'))).toEqual([])
  })

  it('a file that is deleted while it is unlocked comes back with the next change, or when asked to', async () => {
    using vault = await unlocked(place.path)
    rmSync(file)
    await vault.refresh()
    expect(vault.get('first').text()).toBe('value-of-the-first')
    await vault.set(wish('second', 'v2'))
    expect((await unlocked(place.path)).list().map((each) => each.name)).toEqual(['first', 'second'])
    rmSync(place.at('vault'), { recursive: true })
    expect(await vault.restore()).toBe(true)
    expect(await vault.restore()).toBe(false)
    expect((await unlocked(place.path)).list().map((each) => each.name)).toEqual(['first', 'second'])
    expect([statSync(file).mode & 0o777, statSync(place.at('vault')).mode & 0o777]).toEqual([0o600, 0o700])
  })

  it('a vault that another process put there is not overwritten', async () => {
    using vault = await unlocked(place.path)
    rmSync(file)
    using _ = await initVault(place.path, quickKey('quite another one'))
    const before = bytes()
    expect((await refused(() => vault.set(wish('n', 'v')))).code).toBe('WRONG_PASSPHRASE')
    expect(bytes()).toEqual(before)
  })

  it('two that have it unlocked lose nothing of one another', async () => {
    using one = await unlocked(place.path)
    using two = await unlocked(place.path)
    await Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? one : two).set(wish(`n${at}`, `v${at}`))))
    await one.remove('n3')
    await two.refresh()
    expect(two.list().map((each) => each.name)).toEqual(['first', 'n0', 'n1', 'n2', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9'])
    expect(two.get('n8').text()).toBe('v8')
    expect(readdirSync(place.at('vault')).sort()).toEqual(['lock.db', 'vault.age'])
  })

  it('after a change of passphrase the old one opens nothing, not even an unlocked vault', async () => {
    using other = await unlocked(place.path)
    using vault = await unlocked(place.path)
    await vault.rekey(quickKey('another passphrase'))
    await vault.set(wish('later', 'v'))
    expect((await refused(() => unlocked(place.path))).code).toBe('WRONG_PASSPHRASE')
    expect((await refused(() => other.refresh())).code).toBe('WRONG_PASSPHRASE')
    expect((await unlocked(place.path, 'another passphrase')).list()).toHaveLength(2)
  })

  it('an exported file is a vault for its own passphrase', async () => {
    using vault = await unlocked(place.path)
    using key = quickKey('for the other machine')
    const exported = await vault.export(key)
    writeFileSync(file, exported)
    expect((await unlocked(place.path, 'for the other machine')).get('first').text()).toBe('value-of-the-first')
  })

  it('once locked it gives nothing and does nothing; what it gave before is the caller’s', async () => {
    const vault = await unlocked(place.path)
    const mine = vault.get('first')
    vault.lock()
    vault.lock()
    for (const act of [
      () => vault.get('first'),
      () => vault.list(),
      () => vault.refresh(),
      () => vault.restore(),
      () => vault.set(wish('n', 'v')),
      () => vault.remove('first'),
      () => vault.export(quickKey()),
    ])
      expect((await refused(act)).code).toBe('VAULT_LOCKED')
    expect(mine.text()).toBe('value-of-the-first')
    mine.dispose()
  })

  it('there is one vault: init leaves what is there; without one, init is named', async () => {
    const before = bytes()
    expect((await refused(() => initVault(place.path, quickKey()))).code).toBe('BAD_INPUT')
    expect(bytes()).toEqual(before)
    const error = await refused(() => openVault(place.at('nowhere')))
    expect([error.code, error.hint]).toEqual(['NOT_FOUND', 'Run: paddock vault init'])
    expect(existsSync(place.at('nowhere'))).toBe(false)
  })

  it('a salt and a file key serve one file only', async () => {
    using vault = await unlocked(place.path)
    const seen = new Set<string>()
    for (let round = 0; round < 5; round++) {
      await vault.set(wish('n', 'the same'))
      const head = bytes().toString('latin1')
      for (const each of head.split('\n').slice(1, 3)) seen.add(each)
    }
    expect(seen.size).toBe(10)
  })

  it('the passphrase is bytes, as age takes it', async () => {
    await using other = await temporary()
    using _ = await initVault(other.path, new PassphraseKey(Secret.fromText('passphrase', 'pässwörter ⚿'), 4))
    expect((await unlocked(other.path, 'pässwörter ⚿')).list()).toEqual([])
  })
})
