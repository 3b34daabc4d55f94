import path from 'node:path'
import { openAuditLog } from '../../audit/audit-log.ts'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { type Paths, resolvePaths } from '../../base/paths.ts'
import { formatDuration } from '../../base/quantities.ts'
import { disposeLogin, type HostLogin, type LoginPlace, nameOfLogin, placeOfLogin } from '../../credentials/agent-login.ts'
import { openRefresher } from '../../credentials/refresh/refresher.ts'
import { listVolumes, readVolume, volumeOf } from '../../credentials/volume/volume.ts'
import { volumeStore } from '../../credentials/volume/volume-store.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { table } from '../terminal/table.ts'
import { say } from '../terminal/terminal-output.ts'
import { allFormats, type CredentialLine, listCredentials } from './credentials-list.ts'

/** `paddock credentials list`: lists the credentials of this machine and when each expires. */
export async function credentialsList(): Promise<Answer<Result<'credentials list'>>> {
  const paths = resolvePaths(process.env)
  const credentials = await listCredentials(hostPlace(paths), paths.state, Date.now())
  return { data: { schemaVersion: 1, credentials }, ...tableOf(credentials) }
}

/**
 * `paddock credentials check`: also prints the problem of each; exits 1 if one is unusable. Uses the network only with `online`. Then
 * logins that have expired or expire within minutes are renewed, and an interrupted write-back is finished.
 */
export async function credentialsCheck(options: { readonly online?: boolean }): Promise<Answer<Result<'credentials check'>>> {
  const paths = resolvePaths(process.env)
  const place = hostPlace(paths)
  const renewals = options.online === true ? await renewAll(place, paths) : []
  const credentials = await listCredentials(place, paths.state, Date.now())
  const useless = credentials.some((each) => each.state === 'ended' || each.state === 'unusable')
  const ok = !useless && renewals.every((each) => each.problem === null)
  const { lines, notes } = tableOf(credentials)
  return {
    data: { schemaVersion: 1, ok, credentials, renewals },
    lines,
    notes: [
      ...notes,
      ...credentials.flatMap(({ warnings, problem, hint }) => [...warnings, ...(problem === null ? [] : [withHint(problem, hint)])]),
      ...renewals.map(({ login, problem, hint }) => (problem === null ? `${login}: fresh` : withHint(problem, hint))),
    ],
    exitCode: ok ? exitCodes.done : exitCodes.no,
  }
}

interface RenewalLine {
  readonly login: string
  readonly problem: string | null
  readonly hint: string | null
}

/** Renews each renewable login that is about to expire. */
async function renewAll(place: LoginPlace, paths: Paths): Promise<readonly RenewalLine[]> {
  const audit = openAuditLog(path.join(paths.state, 'audit'), { onTrouble: say })
  const lines: RenewalLine[] = []
  const formats = await allFormats()
  try {
    for (const format of formats) {
      const volumes = await listVolumes(formats, paths.state, format.agent)
      // The list already reports logins that cannot be read.
      const all = await Promise.all([format.read(place), ...volumes.map(readVolume)].map((each) => each.catch(() => [])))
      const logins: readonly HostLogin[] = all.flat()
      for (const login of logins.filter((each) => each.refresh !== null)) {
        const refresher = openRefresher(login, {
          stateDirectory: paths.state,
          place,
          ...(login.volume === undefined ? {} : { store: volumeStore(login, volumeOf(formats, paths.state, login.agent, login.volume)) }),
          audit: audit.write,
          notice: say,
        })
        const failure = await refresher.access().then(
          () => null,
          (error: unknown) => error,
        )
        refresher.close()
        if (failure !== null && !(failure instanceof PaddockError)) throw failure
        lines.push({ login: nameOfLogin(login), problem: failure?.message ?? null, hint: failure?.hint ?? null })
      }
      for (const each of logins) disposeLogin(each)
    }
  } finally {
    audit.close()
  }
  return lines
}

function hostPlace(paths: Paths): LoginPlace {
  return { home: paths.userHome, env: process.env, platform: process.platform }
}

function tableOf(lines: readonly CredentialLine[]): { readonly lines: readonly string[]; readonly notes: readonly string[] } {
  if (lines.length === 0) return { lines: [], notes: ['no agent is logged in on this machine, and none of their variables is set'] }
  const rows = lines.map((each) => [
    each.provider === null ? each.agent : `${each.agent}/${each.provider}`,
    each.kind ?? '-',
    endOf(each),
    each.account ?? '-',
    each.inCell ?? 'no',
    whence(each.source),
  ])
  return { lines: table(['AGENT', 'KIND', 'EXPIRES', 'ACCOUNT', 'IN A CELL', 'FROM'], rows), notes: [] }
}

function whence(source: CredentialLine['source']): string {
  if (source === null) return '-'
  if (source.kind === 'environment') return `$${source.name}`
  return source.kind === 'volume' ? `volume ${source.name} (${source.path})` : placeOfLogin(source)
}

function endOf({ state, expiresAt }: CredentialLine): string {
  if (state === 'unusable') return 'unusable'
  if (state === 'renewable') return 'renews itself'
  if (expiresAt === null) return 'no expiry known'
  const left = Date.parse(expiresAt) - Date.now()
  return left <= 0 ? 'has expired' : `expires in ${formatDuration(left)}`
}

function withHint(sentence: string, hint: string | null): string {
  return hint === null ? sentence : `${sentence} (${hint})`
}
