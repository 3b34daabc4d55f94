import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AgentClient, agentDirectory, connectAgent } from '../../src/credentials/vault/agent-client.ts'
import { serveVault } from '../../src/credentials/vault/agent-process.ts'
import { secretService } from '../../src/credentials/vault/keyring.ts'
import { initVault, type Vault } from '../../src/credentials/vault/vault.ts'
import { accessVault } from '../../src/credentials/vault/vault-access.ts'
import { temporary } from '../support/temporary.ts'
import { quickKey, refused, unlocked, wish } from './vault-lab.ts'

describe('the process that keeps a vault unlocked', () => {
  let place: Awaited<ReturnType<typeof temporary>>
  let state: string
  let vault: Vault
  let socket: string
  let ended: Promise<void>
  const cwd = process.cwd()
  beforeEach(async () => {
    place = await temporary()
    // Longer than the maximum path of a socket.
    state = place.at('s'.repeat(120), 'state')
    mkdirSync(agentDirectory(state), { recursive: true, mode: 0o700 })
    vault = await initVault(place.path, quickKey())
    await vault.set(wish('first', 'the first value'))
    socket = path.join(agentDirectory(state), 'agent.sock')
  })
  afterEach(async () => {
    process.chdir(cwd)
    using client = await connectAgent(state).catch(() => null)
    await client?.lock().catch(() => undefined)
    await ended
    await place[Symbol.asyncDispose]()
  })

  const serve = async (forMs = 60_000): Promise<void> => {
    rmSync(socket, { force: true })
    process.chdir(agentDirectory(state))
    ended = (await serveVault(vault, { socket: 'agent.sock', until: Date.now() + forMs })).ended
    process.chdir(cwd)
  }
  const client = async (): Promise<AgentClient> => {
    const found = await connectAgent(state)
    if (found === null) throw new Error('nobody listens')
    return found
  }

  it('gives, stores and removes as the vault itself does', async () => {
    await serve()
    expect(statSync(socket).mode & 0o777).toBe(0o600)
    using one = await client()
    const { secret, entry } = await one.get('first')
    expect([secret.text(), entry.hosts]).toEqual(['the first value', ['api.example.com']])
    const odd = Buffer.from([0, 255, 10])
    await one.set(wish('odd', odd, { place: { in: 'query', name: 'k' } }))
    await one.set(wish('large', 'x'.repeat(65_536)))
    expect((await one.list()).map((each) => [each.name, each.place?.in])).toEqual([
      ['first', undefined],
      ['large', undefined],
      ['odd', 'query'],
    ])
    expect((await one.get('odd')).secret.use((bytes) => bytes.equals(Buffer.from([0, 255, 10])))).toBe(true)
    await one.remove('large')
    expect((await unlocked(place.path)).list().map((each) => each.name)).toEqual(['first', 'odd'])
    const error = await refused(() => one.get('frist'))
    expect([error.code, error.hint]).toEqual(['NOT_FOUND', 'Did you mean first?'])
    expect((await refused(() => one.set(wish('new', 'v', { hosts: ['*.com'] })))).code).toBe('BAD_INPUT')
    expect((await one.status()).file).toBe(vault.file)
  })

  it('sees what others stored, and brings back a file that was deleted', async () => {
    await serve()
    using one = await client()
    await (await unlocked(place.path)).set(wish('other', 'v'))
    expect((await one.get('other')).secret.text()).toBe('v')
    rmSync(vault.file)
    expect((await one.get('other')).secret.text()).toBe('v')
    expect(await one.restore()).toBe(true)
    expect(existsSync(vault.file)).toBe(true)
    rmSync(vault.file)
    await one.set(wish('third', 'v'))
    expect((await unlocked(place.path)).list()).toHaveLength(3)
  })

  it('ends when its time is up, and when it is asked to; then it holds nothing', async () => {
    await serve(400)
    using one = await client()
    expect(await one.list()).toHaveLength(1)
    await ended
    expect((await refused(() => one.list())).code).toBe('VAULT_LOCKED')
    expect((await refused(() => vault.list())).code).toBe('VAULT_LOCKED')
    expect(await connectAgent(state)).toBeNull()
    vault = await unlocked(place.path)
    await serve()
    using two = await client()
    await two.lock()
    await ended
    expect(await connectAgent(state)).toBeNull()
  })

  it('an invalid request gets no value and does not affect other clients', async () => {
    await serve()
    using good = await client()
    const say = async (bytes: Buffer | string): Promise<string> => {
      process.chdir(agentDirectory(state))
      const raw = connect('agent.sock')
      process.chdir(cwd)
      await once(raw, 'connect')
      let said = ''
      raw.on('data', (chunk) => {
        said += String(chunk)
        raw.end()
      })
      raw.on('error', () => undefined)
      raw.write(bytes)
      await new Promise((resolve) => raw.once('close', resolve))
      return said
    }
    for (const text of [
      'x\n',
      '{}\n',
      '[]\n',
      '{"ask":"get"}\n',
      '{"ask":"get","name":"../x"}\n',
      '{"ask":"get","name":"first","more":1}\n',
      '{"ask":"plain"}\n',
      '\u0000\n',
    ])
      expect(JSON.parse(await say(text))).toEqual({
        failed: { code: 'BAD_INPUT', message: 'The process that keeps the vault unlocked does not understand the question.' },
      })
    expect(await say(Buffer.alloc(1024 * 1024, 'a'))).toBe('')
    expect((await good.get('first')).secret.text()).toBe('the first value')
  })

  it('is refused if other users can enter its directory', async () => {
    await serve()
    for (const mode of [0o750, 0o777]) {
      chmodSync(agentDirectory(state), mode)
      const error = await refused(() => connectAgent(state))
      expect([error.code, error.hint?.includes('chmod 700')]).toEqual(['NOT_ALLOWED', true])
    }
    chmodSync(agentDirectory(state), 0o700)
    expect(await connectAgent(place.at('no-state'))).toBeNull()
  })

  it('a socket without a listener counts as absent', async () => {
    ended = Promise.resolve()
    writeFileSync(socket, '')
    expect(await connectAgent(state)).toBeNull()
  })

  it('commands come to the vault by it first, else by asking, else not at all', async () => {
    const keyring = (vaultFile: string) => secretService({ vaultFile, program: place.at('none'), env: {} })
    const means = { configDirectory: place.path, stateDirectory: state, keyring }
    ended = Promise.resolve()
    expect((await refused(() => accessVault(means))).code).toBe('VAULT_LOCKED')
    {
      using asked = await accessVault({ ...means, passphrase: () => unlocked(place.path) })
      expect((await asked.get('first')).secret.text()).toBe('the first value')
    }
    await serve()
    using access = await accessVault(means)
    expect((await access.get('first')).secret.text()).toBe('the first value')
    // An agent that holds the vault of another directory is not asked for this one.
    await using other = await temporary()
    using _ = await initVault(other.path, quickKey())
    expect((await refused(() => accessVault({ ...means, configDirectory: other.path }))).code).toBe('VAULT_LOCKED')
  })
})
