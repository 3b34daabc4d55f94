import { existsSync } from 'node:fs'
import path from 'node:path'
import type { AuditSink } from '../audit/event.ts'
import { PaddockError } from '../base/errors.ts'
import type { Paths } from '../base/paths.ts'
import type { Secret } from '../secrets/secret.ts'
import { disposeLogin, type HostLogin } from './agent-login.ts'
import { ghFormat } from './forge/gh.ts'
import type { LoginFormat } from './format.ts'
import { logInAgain } from './log-in-again.ts'
import { type Snapshot, takeSnapshot } from './login-snapshot.ts'
import { openRefresher, type Refresher } from './refresh/refresher.ts'
import type { TokenTransport } from './refresh/transport.ts'
import { type LentLogin, lendLogin } from './volume/lend.ts'
import { readVolume, type Volume, volumeOf } from './volume/volume.ts'
import { defaultVolume } from './volume/volume-files.ts'
import { volumeStore } from './volume/volume-store.ts'

export interface StoredLoginsDeps {
  readonly paths: Paths
  readonly env: Readonly<Record<string, string | undefined>>
  readonly audit: AuditSink
  /** Called with one sentence for the user about a problem that is not fatal. */
  readonly notice: (sentence: string) => void
  /** The formats of the agents that Paddock knows. The format of `gh` is added to them. */
  readonly formats: readonly LoginFormat[]
  readonly transport?: TokenTransport
}

/** The logins that agents' own CLIs have stored on this machine, as callers use them. */
export type StoredLogins = Pick<HostLogins, 'read' | 'access' | 'rejected' | 'snapshot' | 'place' | 'lend'>

/** The logins of this machine for all cells of this process. Each login is read once, and renewed by one refresher. */
export class HostLogins {
  readonly #deps: StoredLoginsDeps
  readonly #formats: readonly LoginFormat[]
  readonly #read = new Map<string, Promise<readonly HostLogin[]>>()
  readonly #refreshers = new Map<HostLogin, Refresher>()

  constructor(deps: StoredLoginsDeps) {
    this.#deps = deps
    this.#formats = [...deps.formats, ghFormat]
  }

  /**
   * Returns the logins of an agent, with secrets that this object owns: the host's own, or else those of the default volume; with `volume`,
   * those of the named volume. Rejects like `LoginFormat.read`.
   */
  read(agent: string, volume: string | null = null): Promise<readonly HostLogin[]> {
    const known = this.#formats.find((each) => each.agent === agent)
    if (known === undefined) return Promise.resolve([])
    const key = volume === null ? agent : `${agent}:${volume}`
    const found = this.#read.get(key) ?? (volume === null ? this.#anywhere(known) : this.#inVolume(agent, volume))
    this.#read.set(key, found)
    // A failure is not kept, so a login that the user has fixed is read again.
    found.catch(() => this.#read.delete(key))
    return found
  }

  async #anywhere(format: LoginFormat): Promise<readonly HostLogin[]> {
    const own = await format.read(this.#place())
    return own.length > 0 || format.files === undefined ? own : this.#inVolume(format.agent, defaultVolume)
  }

  async #inVolume(agent: string, name: string): Promise<readonly HostLogin[]> {
    return readVolume(this.#volume(agent, name))
  }

  /** Returns the current access token, renewed if necessary. The refresher still owns it. */
  access(login: HostLogin, signal: AbortSignal): Promise<Secret> {
    return this.#refresherOf(login).access(signal)
  }

  rejected(login: HostLogin, token: Secret): void {
    this.#refresherOf(login).rejected(token)
  }

  /** Returns the path of an agent's login file: on the host, or else in the default volume; null if neither exists. */
  async place(agent: string, login: { readonly hostPath: string }): Promise<string | null> {
    if (existsSync(login.hostPath)) return login.hostPath
    if (this.#formats.find((each) => each.agent === agent)?.files === undefined) return null
    const volume = this.#volume(agent, defaultVolume)
    const file = path.join(volume.home, volume.files.file)
    return existsSync(file) ? file : null
  }

  /**
   * Lends the login of a volume to one cell, which may write to its copy (see `lendLogin`).
   * @throws PaddockError LOGIN_NEEDED if the volume contains no login, BUSY if another process holds it.
   */
  async lend(agent: string, name: string): Promise<LentLogin> {
    const volume = this.#volume(agent, name)
    if (!existsSync(path.join(volume.home, volume.files.file))) throw noLogin(volume)
    return lendLogin(volume, this.#renewing())
  }

  snapshot(hostPath: string): Promise<Snapshot> {
    return takeSnapshot(hostPath, this.#deps.paths.state)
  }

  /** Waits for renewals in progress, and zeroes all secrets. */
  async close(): Promise<void> {
    await Promise.all([...this.#refreshers.values()].map((each) => each.settle()))
    for (const each of this.#refreshers.values()) each.close()
    for (const read of this.#read.values()) for (const login of await read.catch(() => [])) disposeLogin(login)
    this.#read.clear()
    this.#refreshers.clear()
  }

  #volume(agent: string, name: string): Volume {
    return volumeOf(this.#formats, this.#deps.paths.state, agent, name)
  }

  #place() {
    return { home: this.#deps.paths.userHome, env: this.#deps.env, platform: process.platform }
  }

  #renewing() {
    const { paths, audit, notice, transport } = this.#deps
    return { stateDirectory: paths.state, place: this.#place(), audit, notice, ...(transport === undefined ? {} : { transport }) }
  }

  #refresherOf(login: HostLogin): Refresher {
    let found = this.#refreshers.get(login)
    if (found === undefined) {
      found = openRefresher(login, {
        ...this.#renewing(),
        ...(login.volume === undefined ? {} : { store: volumeStore(login, this.#volume(login.agent, login.volume)) }),
      })
      this.#refreshers.set(login, found)
    }
    return found
  }
}

function noLogin({ agent, format, name }: Volume): PaddockError {
  const hint = logInAgain(format, name).replace('log in again', 'log in')
  return new PaddockError('LOGIN_NEEDED', `There is no login of ${agent} in the volume "${name}".`, { hint })
}
