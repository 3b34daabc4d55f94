import type { AuditSink } from '../audit/event.ts'
import type { Paths } from '../paths.ts'
import type { Secret } from '../secret.ts'
import { readHostLogins } from './host-login.ts'
import { disposeLogin, type HostLogin, loginAgents } from './login.ts'
import type { InstalledClient } from './refresh/oauth.ts'
import type { TokenTransport } from './refresh/transport.ts'
import { openRefresher, type Refresher } from './refresher.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'

export interface StoredLoginsDeps {
  readonly paths: Paths
  readonly env: Readonly<Record<string, string | undefined>>
  readonly audit: AuditSink
  /** Takes one sentence on what the user should know and what ends nothing. */
  readonly notice: (sentence: string) => void
  /** See `geminiClient`. */
  readonly installedClient?: InstalledClient
  readonly transport?: TokenTransport
}

/**
 * The logins of this machine for all cells of this process: read once, and renewed by one refresher each.
 */
export class HostLogins {
  readonly #deps: StoredLoginsDeps
  readonly #read = new Map<string, Promise<readonly HostLogin[]>>()
  readonly #refreshers = new Map<HostLogin, Refresher>()

  constructor(deps: StoredLoginsDeps) {
    this.#deps = deps
  }

  /** The logins of an agent, with secrets that belong to this object. Rejects as `readHostLogins` does. */
  read(agent: string): Promise<readonly HostLogin[]> {
    const known = loginAgents.find((each) => each === agent)
    if (known === undefined) return Promise.resolve([])
    const found = this.#read.get(agent) ?? readHostLogins(known, this.#place())
    this.#read.set(agent, found)
    // What is mended meanwhile is read again.
    found.catch(() => this.#read.delete(agent))
    return found
  }

  /** The access token as it is now, renewed where it has to be. It stays the refresher's. */
  access(login: HostLogin, signal: AbortSignal): Promise<Secret> {
    return this.#refresherOf(login).access(signal)
  }

  rejected(login: HostLogin, token: Secret): void {
    this.#refresherOf(login).rejected(token)
  }

  snapshot(hostPath: string): Promise<Snapshot> {
    return takeSnapshot(hostPath, this.#deps.paths.state)
  }

  /** Waits for renewals that are on their way, and zeroes all secrets. */
  async close(): Promise<void> {
    await Promise.all([...this.#refreshers.values()].map((each) => each.settle()))
    for (const each of this.#refreshers.values()) each.close()
    for (const read of this.#read.values()) for (const login of await read.catch(() => [])) disposeLogin(login)
    this.#read.clear()
    this.#refreshers.clear()
  }

  #place() {
    return { home: this.#deps.paths.userHome, env: this.#deps.env, platform: process.platform }
  }

  #refresherOf(login: HostLogin): Refresher {
    const { paths, audit, notice, installedClient, transport } = this.#deps
    let found = this.#refreshers.get(login)
    if (found === undefined) {
      found = openRefresher(login, {
        stateDirectory: paths.state,
        place: this.#place(),
        audit,
        notice,
        ...(installedClient === undefined ? {} : { installedClient }),
        ...(transport === undefined ? {} : { transport }),
      })
      this.#refreshers.set(login, found)
    }
    return found
  }
}
