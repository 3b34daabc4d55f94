import { existsSync } from 'node:fs'
import type { AuditSink } from '../../audit/event.ts'
import type { PaddockError } from '../../base/errors.ts'
import { Secret } from '../../secrets/secret.ts'
import { type HostLogin, type LoginPlace, nameOfLogin } from '../agent-login.ts'
import { type Renewal, type RenewalParts, renew, type TooOld } from './login-renewal.ts'
import { type LoginStore, openStore } from './login-store.ts'
import { openJournal } from './renewal-journal.ts'
import { type Clock, isFresh, isLive, systemClock, usualMarginMs } from './token-clock.ts'
import { httpsTransport, type TokenTransport } from './transport.ts'

/** A refresher renews a login for all cells at once. */
export interface Refresher {
  /**
   * Returns an access token that is valid for some minutes, renewed if necessary, with one request for all callers in all processes. The
   * token belongs to the refresher and is for immediate use; do not keep it or dispose of it. Rejects with LOGIN_NEEDED, or with the reason
   * of an aborted `signal` (the renewal itself continues, because its answer must not be lost).
   */
  access(signal?: AbortSignal): Promise<Secret>
  /** Returns when the last token from `access` expires; null if unknown. */
  expiresAt(): Date | null
  /** Records that the service rejected this token, regardless of its expiry. The next `access` renews it. */
  rejected(token: Secret): void
  /** Finishes the renewal of a killed process, and waits for a renewal in progress. */
  settle(): Promise<void>
  /** Zeroes the secrets made by the refresher as soon as no renewal is in progress. Idempotent. */
  close(): void
}

export interface RefresherDeps {
  /** Paddock's own state directory, for data of the refresher that must not be lost. */
  readonly stateDirectory: string
  /** The place where the login is read again, as for `LoginFormat.read`. */
  readonly place: LoginPlace
  readonly audit: AuditSink
  /** Requests tokens. Default: HTTPS to the agent's own token host. */
  readonly transport?: TokenTransport
  readonly clock?: Clock
  /** Called with one sentence for the user about a problem that is not fatal. */
  readonly notice?: (sentence: string) => void
  /** A store to use instead of the login's own. */
  readonly store?: LoginStore
}

const tries = 3
/** The longest retry delay within one call, because an agent waits for the answer. */
const shortWaitMs = 5_000

/** Opens the refresher of a login. The caller must keep the login's secrets until it is closed. An API key is returned unchanged. */
export function openRefresher(login: HostLogin, deps: RefresherDeps): Refresher {
  const clock = deps.clock ?? systemClock
  const journal = openJournal(login, deps.stateDirectory)
  const parts: RenewalParts = {
    login,
    store: deps.store ?? openStore(login, deps.place),
    journal,
    transport: deps.transport ?? httpsTransport(),
    clock,
    place: deps.place,
  }
  const name = nameOfLogin(login)
  const made: Secret[] = []
  const bad: Secret[] = []
  let current = { access: login.access, expiresAt: login.expiresAt, marginMs: usualMarginMs }
  let notBefore = 0
  let flight: Promise<void> | null = null
  let unsettled = existsSync(journal.answerFile)
  let closed = false
  let said = ''

  const isBad = (token: Secret): boolean => bad.some((each) => each.equals(token))
  const tooOld: TooOld = ({ access, expiresAt }) =>
    !isFresh(expiresAt, clock.now(), access.equals(current.access) ? current.marginMs : usualMarginMs) || isBad(access)
  const usable = (): boolean => isLive(current.expiresAt, clock.now()) && !isBad(current.access)

  const say = (sentence: string): void => {
    if (sentence !== said) deps.notice?.(sentence)
    said = sentence
  }
  const take = (renewal: Extract<Renewal, { kind: 'fresh' }>): void => {
    const { tokens } = renewal
    for (const each of [tokens.access, tokens.refresh, tokens.idToken]) if (each !== null) made.push(each)
    // Otherwise a token with a lifetime of minutes would be too old from the start.
    const left = tokens.expiresAt === null ? Number.POSITIVE_INFINITY : tokens.expiresAt.getTime() - clock.now()
    current = { access: tokens.access, expiresAt: tokens.expiresAt, marginMs: Math.min(usualMarginMs, left / 4) }
    unsettled = existsSync(journal.answerFile)
    notBefore = unsettled ? clock.now() + shortWaitMs : 0
    deps.audit({ kind: 'credential.refresh', data: { login: name, outcome: unsettled ? 'not-written-back' : renewal.how } })
    for (const each of renewal.notices) say(each)
  }
  const failed = (error: PaddockError, later: boolean): void => {
    deps.audit({ kind: 'credential.refresh', data: { login: name, outcome: later ? 'failed' : 'login-needed', why: error.message } })
  }

  const fly = async (): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const renewal = await renew(parts, tooOld)
      if (renewal.kind === 'fresh') return take(renewal)
      failed(renewal.error, renewal.notBefore !== null)
      notBefore = renewal.notBefore ?? clock.now() + 30_000
      if (usable()) return say(`${renewal.error.message} The current token still works.`)
      const wait = renewal.notBefore === null ? Number.POSITIVE_INFINITY : renewal.notBefore - clock.now()
      if (attempt === tries || wait > shortWaitMs) throw renewal.error
      await clock.sleep(Math.max(wait, 0))
    }
  }
  const dispose = (): void => {
    for (const each of [...made.splice(0), ...bad.splice(0)]) each.dispose()
  }
  const start = (): Promise<void> => {
    flight ??= fly().finally(() => {
      flight = null
      if (closed) dispose()
    })
    return flight
  }

  return {
    async access(signal) {
      if (closed) throw new Error('the refresher is closed')
      signal?.throwIfAborted()
      const good = !tooOld(current) && !unsettled
      if (good || (usable() && clock.now() < notBefore)) return current.access
      await raced(start(), signal)
      return current.access
    },
    expiresAt: () => current.expiresAt,
    rejected(token) {
      if (closed || isBad(token)) return
      // This must be a copy, because the owner of the token may dispose of it.
      bad.push(token.use((bytes) => Secret.take(token.name, Buffer.from(bytes))))
      if (token.equals(current.access)) notBefore = 0
    },
    async settle() {
      if (unsettled || flight !== null) await start().catch(() => undefined)
    },
    close() {
      closed = true
      if (flight === null) dispose()
    },
  }
}

/** Rejects as soon as the signal is aborted. The work itself continues. */
function raced(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
