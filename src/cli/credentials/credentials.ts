import path from 'node:path'
import { openAuditLog } from '../../audit/log.ts'
import { disposeLogin, type HostLogin, type LoginPlace, nameOfLogin, placeOfLogin } from '../../credentials/login.ts'
import { openRefresher } from '../../credentials/refresh/refresher.ts'
import { volumeStore } from '../../credentials/volume/store.ts'
import { listVolumes, readVolume, volumeOf } from '../../credentials/volume/volume.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { type Paths, resolvePaths } from '../../paths.ts'
import { formatDuration } from '../../quantities.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'
import { allFormats, type CredentialLine, listCredentials } from './credentials-list.ts'

interface Options {
  readonly json?: boolean
  readonly online?: boolean
}

/** `paddock credentials list`: what there is, from where, how long it does. */
export async function credentialsList(options: Options): Promise<number> {
  const paths = resolvePaths(process.env)
  const lines = await listCredentials(hostPlace(paths), paths.state, Date.now())
  if (options.json === true) printJson({ schemaVersion: 1, credentials: lines })
  else printTable(lines)
  return exitCodes.done
}

/**
 * `paddock credentials check`: the same, with what is wrong of each; 1 where one is of no use. Asks nothing of the network, but for
 * `online`: then logins that have ended or end within minutes are renewed, and a write-back that was cut off is finished.
 */
export async function credentialsCheck(options: Options): Promise<number> {
  const paths = resolvePaths(process.env)
  const place = hostPlace(paths)
  const renewals = options.online === true ? await renewAll(place, paths) : []
  const lines = await listCredentials(place, paths.state, Date.now())
  const useless = lines.some((each) => each.state === 'ended' || each.state === 'unusable')
  const ok = !useless && renewals.every((each) => each.problem === null)
  if (options.json === true) printJson({ schemaVersion: 1, ok, credentials: lines, renewals })
  else {
    printTable(lines)
    for (const each of lines) {
      for (const warning of each.warnings) say(warning)
      if (each.problem !== null) say(withHint(each.problem, each.hint))
    }
    for (const each of renewals) say(each.problem === null ? `${each.login}: fresh` : withHint(each.problem, each.hint))
  }
  return ok ? exitCodes.done : exitCodes.no
}

interface RenewalLine {
  readonly login: string
  readonly problem: string | null
  readonly hint: string | null
}

/** Each login that holds what renews it, made fresh where it is not. */
async function renewAll(place: LoginPlace, paths: Paths): Promise<readonly RenewalLine[]> {
  const audit = openAuditLog(path.join(paths.state, 'audit'), { onTrouble: say })
  const lines: RenewalLine[] = []
  const formats = await allFormats()
  try {
    for (const format of formats) {
      const volumes = await listVolumes(formats, paths.state, format.agent)
      // One that cannot be read is told by the list.
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

function printTable(lines: readonly CredentialLine[]): void {
  if (lines.length === 0) say('no agent is logged in on this machine, and none of their variables is set')
  const rows = lines.map((each) => [
    each.provider === null ? each.agent : `${each.agent}/${each.provider}`,
    each.kind ?? '-',
    endOf(each),
    each.account ?? '-',
    each.inCell === null ? 'not in a cell' : `in a cell: ${each.inCell}`,
    whence(each.source),
  ])
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  for (const row of rows)
    process.stdout.write(
      `${printable(
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
      )}\n`,
    )
}

function whence(source: CredentialLine['source']): string {
  if (source === null) return '-'
  if (source.kind === 'environment') return `$${source.name}`
  return source.kind === 'volume' ? `volume ${source.name} (${source.path})` : placeOfLogin(source)
}

function endOf({ state, expiresAt }: CredentialLine): string {
  if (state === 'unusable') return 'unusable'
  if (state === 'renewable') return 'renews itself'
  if (expiresAt === null) return 'no end known'
  const left = Date.parse(expiresAt) - Date.now()
  return left <= 0 ? 'has ended' : `ends in ${formatDuration(left)}`
}

function withHint(sentence: string, hint: string | null): string {
  return hint === null ? sentence : `${sentence} (${hint})`
}
