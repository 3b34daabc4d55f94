import { setTimeout } from 'node:timers/promises'
import { codeOf, messageOf, PaddockError } from '../../base/errors.ts'
import { lockHolder, tryLock } from '../../files/lock.ts'
import { disposeLogin, type HostLogin, type LoginPlace, nameOfLogin, placeOfLogin } from '../agent-login.ts'
import type { Tokens } from '../format.ts'
import { letItRenew, logInAgain } from '../log-in-again.ts'
import { hashOf, type LoginStore } from './login-store.ts'
import { type OAuthClient, refreshRequest } from './oauth.ts'
import type { Intent, Journal } from './renewal-journal.ts'
import { type Answer, readAnswer } from './token-answer.ts'
import { backOffMs, type Clock } from './token-clock.ts'
import { type TokenTransport, TransportFailure } from './transport.ts'

/** The result of one attempt to get a fresh token. */
export type Renewal =
  | {
      readonly kind: 'fresh'
      readonly how: 'refreshed' | 'adopted' | 'recovered'
      readonly tokens: Tokens
      readonly notices: readonly string[]
    }
  /** No fresh token. `notBefore`: the time of the next useful attempt; null: the user must act first. */
  | { readonly kind: 'failed'; readonly error: PaddockError; readonly notBefore: number | null }

/** Returns true for tokens that must be renewed. */
export type TooOld = (login: Pick<HostLogin, 'access' | 'expiresAt'>) => boolean

export interface RenewalParts {
  readonly login: HostLogin
  readonly store: LoginStore
  readonly journal: Journal
  readonly transport: TokenTransport
  readonly clock: Clock
  /** The place of the program's login. */
  readonly place: LoginPlace
}

/** How long to wait for the lock, which is longer than a request may take in the process that holds the lock. */
const lockPatienceMs = 90_000
const ownLockPatienceMs = 15_000
const skewWorthSayingMs = 300_000

/**
 * Makes one attempt, exclusive among all processes. It first finishes the renewal of a killed process, then accepts a token that another
 * process renewed, and only then asks the service. Rejects only for bugs in Paddock.
 */
export async function renew(parts: RenewalParts, tooOld: TooOld): Promise<Renewal> {
  const { login, store, journal, clock } = parts
  using lock = await tryLock({ file: journal.lockFile, command: 'a renewal', patienceMs: lockPatienceMs })
  const name = nameOfLogin(login)
  if (lock === null)
    return later(`The login of ${name} is still being renewed by ${await lockHolder(journal.lockFile)}.`, clock.now() + 5_000)
  const until = performance.now() + ownLockPatienceMs
  let theirs = await store.lock(journal.markerFile)
  while (theirs === null && performance.now() < until) {
    await setTimeout(250)
    theirs = await store.lock(journal.markerFile)
  }
  if (theirs === null) return later(`The login of ${name} is in use by ${await store.holder()}.`, clock.now() + 5_000)
  await using _theirs = theirs
  try {
    const left = await finish(parts, tooOld)
    if (typeof left === 'object') return left
    const now = await store.read()
    if (now === null)
      return needsLogin(`The login of ${name} is gone from ${placeOfLogin(login.source)}.`, logInAgain(login.format, login.volume))
    if (!tooOld(now)) {
      const { access, refresh, expiresAt } = now
      const tokens = { access, refresh, idToken: now.others?.[0] ?? null, expiresAt }
      return { kind: 'fresh', how: left === 'written' ? 'recovered' : 'adopted', tokens, notices: [] }
    }
    try {
      return await ask(now, parts)
    } finally {
      disposeLogin(now)
    }
  } catch (error) {
    if (error instanceof PaddockError) return { kind: 'failed', error, notBefore: clock.now() + 30_000 }
    if (codeOf(error) === undefined) throw error
    return later(`The login of ${name} could not be renewed: ${messageOf(error)}.`, clock.now() + 30_000)
  }
}

/** Completes the write-back of a killed process. If that is still not possible, the tokens are used anyway. */
async function finish({ login, store, journal, clock }: RenewalParts, tooOld: TooOld): Promise<'nothing' | 'written' | Renewal> {
  const left = await journal.readAnswer()
  if (left === null) return 'nothing'
  const { tokens } = left
  const dispose = (): void => {
    for (const each of [tokens.access, tokens.refresh, tokens.idToken]) each?.dispose()
  }
  try {
    const written = await store.write(tokens, left.posted, new Date(clock.now()))
    await journal.clear()
    dispose()
    return written ? 'written' : 'nothing'
  } catch (error) {
    if (!tooOld(tokens)) return { kind: 'fresh', how: 'recovered', tokens, notices: [notWritten(login, error, true)] }
    dispose()
    throw error
  }
}

/** Requests new tokens for the login in the current state of its source. */
async function ask(login: HostLogin, parts: RenewalParts): Promise<Renewal> {
  const { store, journal, clock } = parts
  const name = nameOfLogin(login)
  if (login.refresh === null)
    return needsLogin(`The ${name} login has expired, and contains nothing to renew it with.`, logInAgain(login.format, login.volume))
  const token = hashOf(login)
  const before = await journal.readIntent()
  const earlier = before?.token === token ? before : null
  if (earlier?.state === 'refused') return refused(name, login, earlier)
  if (earlier?.state === 'failed' && clock.now() < earlier.notBefore) return later(earlier.why, earlier.notBefore)
  const client = (await login.format.client?.(login, parts.place)) ?? null
  if (client === null) return needsLogin(`Paddock does not know how to renew the login of ${name}.`, letItRenew(login.format))
  await store.mayWrite()
  const lostAt = earlier?.state === 'asking' ? earlier.at : (earlier?.lostAt ?? null)
  const intent = { state: 'asking', token, at: clock.now(), failures: earlier?.failures ?? 0, notBefore: 0, why: '', lostAt } as const
  await journal.writeIntent(intent)
  const answer = await send(login, client, parts)
  if (answer.kind === 'tokens') return await keep(answer, token, login, parts)
  if (answer.kind === 'refused') {
    await journal.writeIntent({ ...intent, state: 'refused', why: answer.why })
    return refused(name, login, { why: answer.why, lostAt })
  }
  const failures = intent.failures + 1
  const notBefore = clock.now() + Math.max(backOffMs(failures), answer.retryAfterMs)
  const why = `The login of ${name} could not be renewed: ${answer.why}.`
  await journal.writeIntent({ ...intent, state: 'failed', failures, notBefore, why, lostAt: answer.lost ? intent.at : lostAt })
  return later(why, notBefore)
}

async function send(login: HostLogin, client: OAuthClient, { transport, clock }: RenewalParts): Promise<Answer> {
  const request = refreshRequest(login, client)
  try {
    const response = await transport(request)
    const answer = readAnswer(response, request.url.hostname, nameOfLogin(login), clock.now())
    response.body.fill(0)
    return answer
  } catch (error) {
    if (error instanceof TransportFailure) return { kind: 'failed', why: error.message, retryAfterMs: 0, lost: error.mayHaveArrived }
    throw error
  } finally {
    request.body.fill(0)
  }
}

/** Stores new tokens on the disk before they are used for anything else. */
async function keep(answer: Extract<Answer, { kind: 'tokens' }>, posted: string, login: HostLogin, parts: RenewalParts): Promise<Renewal> {
  const { store, journal, clock } = parts
  const { tokens } = answer
  const notices: string[] = []
  if (Math.abs(answer.skewMs) > skewWorthSayingMs) {
    const minutes = Math.round(Math.abs(answer.skewMs) / 60_000)
    notices.push(`the clock of this machine is ${minutes} min ${answer.skewMs > 0 ? 'behind' : 'ahead'}; set it right`)
  }
  const kept = await journal.writeAnswer(tokens, posted, clock.now()).then(
    () => true,
    () => false,
  )
  try {
    await store.write(tokens, posted, new Date(clock.now()))
    await journal.clear()
  } catch (error) {
    notices.push(notWritten(login, error, kept))
  }
  return { kind: 'fresh', how: 'refreshed', tokens, notices }
}

function notWritten(login: HostLogin, error: unknown, kept: boolean): string {
  const outcome = kept ? 'it is kept, and written as soon as possible' : 'it is lost with this process'
  const hint = error instanceof PaddockError && error.hint !== undefined ? ` (${error.hint})` : ''
  return `the renewed login of ${nameOfLogin(login)} is not written back yet: ${messageOf(error)} ${outcome}${hint}`
}

function refused(name: string, login: HostLogin, { why, lostAt }: Pick<Intent, 'why' | 'lostAt'>): Renewal {
  const earlier =
    lostAt === null ? '' : `; a renewal at ${new Date(lostAt).toISOString()} was cut off before its answer came, which may be why`
  return needsLogin(`The login of ${name} is no longer accepted (${why})${earlier}.`, logInAgain(login.format, login.volume))
}

function needsLogin(sentence: string, hint: string): Renewal {
  return { kind: 'failed', error: new PaddockError('LOGIN_NEEDED', sentence, { hint }), notBefore: null }
}

function later(sentence: string, notBefore: number): Renewal {
  return {
    kind: 'failed',
    error: new PaddockError('LOGIN_NOT_RENEWED', sentence, { hint: 'Wait for the next try, or check the network' }),
    notBefore,
  }
}
