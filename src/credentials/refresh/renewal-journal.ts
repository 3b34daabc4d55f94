import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { lstat, rm } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { type HostLogin, nameOfLogin } from '../agent-login.ts'
import type { Tokens } from '../format.ts'
import { parseObject } from '../login-document.ts'
import { tokenOf } from '../token-text.ts'

const intentSchema = z.strictObject({
  schemaVersion: z.literal(1),
  login: z.string(),
  /** `asking`: a request is or was in progress. `refused`: the user must log in again. `failed`: no request before `notBefore`. */
  state: z.enum(['asking', 'refused', 'failed']),
  /** The SHA-256 of the refresh token. */
  token: z.string(),
  at: z.number(),
  failures: z.int(),
  notBefore: z.number(),
  why: z.string(),
  /** The time of an earlier request with this token that was never answered; null: all requests were answered. */
  lostAt: z.number().nullable(),
})
export type Intent = z.output<typeof intentSchema>

const answerSchema = z.strictObject({
  schemaVersion: z.literal(1),
  login: z.string(),
  posted: z.string(),
  at: z.number(),
  access: z.string(),
  refresh: z.string().nullable(),
  idToken: z.string().nullable(),
  expiresAt: z.number().nullable(),
})

/**
 * The state of one login that must survive a crash: the request that is about to be sent (without secrets), and the new tokens until they
 * are stored at their source (0600 in a directory of 0700). Read and written under the lock of the login.
 */
export interface Journal {
  /** The file of the kernel lock, which is shared by all logins of one source. */
  readonly lockFile: string
  /** The file that records which of the agent's own locks were taken. */
  readonly markerFile: string
  readonly answerFile: string
  readIntent(): Promise<Intent | null>
  writeIntent(intent: Omit<Intent, 'schemaVersion' | 'login'>): Promise<void>
  readAnswer(): Promise<{ readonly tokens: Tokens; readonly posted: string; readonly at: number } | null>
  writeAnswer(tokens: Tokens, posted: string, at: number): Promise<void>
  /** Clears the state after the tokens are stored at their source. */
  clear(): Promise<void>
}

export function openJournal(login: HostLogin, stateDirectory: string): Journal {
  const directory = path.join(stateDirectory, 'credentials', 'refresh')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const name = nameOfLogin(login)
  const id = (of: unknown): string => createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 24)
  const [own, source] = [id([login.provider, login.source]), id(login.source)]
  const at = (suffix: string): string => path.join(directory, `${login.agent}-${own}.${suffix}`)
  const [intentFile, answerFile] = [at('intent.json'), at('answer.json')]
  return {
    lockFile: path.join(directory, `${login.agent}-${source}.lock`),
    markerFile: path.join(directory, `${login.agent}-${source}.held.json`),
    answerFile,
    readIntent: () => read(intentFile, intentSchema),
    writeIntent: (intent) => writeJson(intentFile, { schemaVersion: 1, login: name, ...intent }, { mode: 0o600 }),
    async readAnswer() {
      const kept = await read(answerFile, answerSchema)
      const access = tokenOf(`${name} access token`, kept?.access)
      if (kept === null || access === null) return null
      const tokens: Tokens = {
        access,
        refresh: tokenOf(`${name} refresh token`, kept.refresh),
        idToken: tokenOf(`${name} id token`, kept.idToken),
        expiresAt: kept.expiresAt === null ? null : new Date(kept.expiresAt),
      }
      return { tokens, posted: kept.posted, at: kept.at }
    },
    async writeAnswer({ access, refresh, idToken, expiresAt }, posted, at) {
      const texts = { access: access.text(), refresh: refresh?.text() ?? null, idToken: idToken?.text() ?? null }
      const value = { schemaVersion: 1, login: name, posted, at, ...texts, expiresAt: expiresAt?.getTime() ?? null }
      await writeJson(answerFile, value, { mode: 0o600 })
    },
    async clear() {
      await rm(answerFile, { force: true })
      await rm(intentFile, { force: true })
    },
  }
}

/** Returns the content of a file; null if it does not exist. Throws FILES_FAILED if a newer Paddock wrote it, which must then continue. */
async function read<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const found = await readRegular(file, 1024 ** 2)
  if (!found.ok) {
    if (found.why === 'missing') return null
    throw unusable(file, 'cannot be read')
  }
  const { uid } = await lstat(file)
  if (uid !== (process.geteuid?.() ?? uid)) throw unusable(file, 'belongs to another user')
  const value = parseObject(found.bytes.toString('utf8'))
  found.bytes.fill(0)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const version = value?.['schemaVersion']
  if (typeof version === 'number' && version > 1) throw unusable(file, 'was written by a newer Paddock')
  // Writes are atomic, so Paddock did not write this unreadable file. It must not prevent a renewal of the login.
  return null
}

function unusable(file: string, why: string): PaddockError {
  return new PaddockError('FILES_FAILED', `${file} ${why}, so Paddock does not renew this login.`, {
    hint: `Use the newer Paddock, or look at the file and remove it`,
  })
}
