import { createHash, randomBytes } from 'node:crypto'
import { type BigIntStats, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../../files/read-regular.ts'
import { hostProgram, systemPath } from '../../../system/host-program.ts'
import { spawnSync } from '../../../system/start-program.ts'

/**
 * Databases that list settings with the hash of what their package contains. dpkg: deb-conffiles(5), dpkg-query(1) `Conffiles`. ucf: ucf(1).
 * pacman: the `%BACKUP%` of each package. apk: apk-package(5), `F:`, `R:` and `Z:`. rpm: a file for each kind of its database, which rpm reads.
 */
const databases = {
  dpkg: '/var/lib/dpkg/status',
  ucf: '/var/lib/ucf/hashfile',
  pacman: '/var/lib/pacman/local',
  apk: '/lib/apk/db/installed',
  rpm: ['/var/lib/rpm/rpmdb.sqlite', '/var/lib/rpm/Packages.db', '/var/lib/rpm/Packages'],
}
/** Hash algorithms by the number of hexadecimal digits. */
const algorithms = new Map([
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
  [96, 'sha384'],
  [128, 'sha512'],
])
const rpmPatienceMs = 20_000
const mostBytes = 64 * 1024 ** 2
/** Maximum number of mounts that the settings are worth. */
const mostUnits = 150

/** Settings of services and of the system's start, which no program in a cell reads. */
const forServices = new RegExp(
  `^/etc/(${[
    ...['adduser', 'apache2', 'apparmor', 'appstream', 'apt', 'avahi', 'bindresvport', 'binfmt', 'bluetooth', 'cron', 'dbus', 'debconf'],
    ...['default', 'deluser', 'dhcp', 'e2scrub', 'environment', 'gdm', 'init', 'issue', 'kernel', 'ld\\.so', 'libaudit', 'lighttpd'],
    ...['logcheck', 'login', 'logrotate', 'modprobe', 'modules', 'motd', 'network', 'nftables', 'PackageKit', 'pam', 'polkit', 'profile'],
    ...['pulse', 'rc', 'rsyslog', 'security', 'selinux', 'sensors', 'skel', 'sudo', 'sysctl', 'sysstat', 'systemd', 'ucf', 'udev', 'ufw'],
    ...['update-', 'xinetd'],
  ].join('|')})`,
)
/** Files in /etc that a cell has with other content, and directories of such files. */
const made =
  /^\/etc\/(paddock|passwd|group|shadow|gshadow|hosts|hostname|resolv\.conf|nsswitch\.conf|machine-id|gitconfig|pip\.conf|uv|opt|ssl|pki|maven\/settings\.xml)(\/|$)/

/** A file, or a directory with everything in it. */
interface Unit {
  readonly path: string
  /** The state of everything in it when it was compared. */
  readonly parts: readonly (readonly [file: string, stamp: string])[]
}

/** Where the system is, and the user who owns it. Another one than this machine's is only for tests. */
interface System {
  readonly root: string
  readonly owner: number
}

interface Compared {
  readonly schemaVersion: 1
  /** The state of the databases. */
  readonly databases: string
  /** The paths that were left out, because the cell has them otherwise. */
  readonly without: string
  readonly units: readonly Unit[]
}

/**
 * Returns the files in /etc that are as their package contains them, so that they hold nothing of this machine's administrator. A directory
 * in which this is true of everything is in the result itself. `without`: paths that the cell has otherwise. The result is kept in `cache`,
 * which no cell may write to, until a package or one of the files changes.
 */
export function packageSettings(
  cache: string,
  without: readonly string[],
  { root, owner }: System = { root: '', owner: 0 },
): readonly string[] {
  const at = Object.values(databases)
    .flat()
    .map((each) => stampOf(root + each) ?? '')
    .join(' ')
  if (at.trim() === '') return []
  const file = path.join(cache, 'package-settings.json')
  const kept = keptIn(file)
  const isKept = kept !== null && kept.databases === at && kept.without === without.join(' ')
  if (isKept && kept.units.every((unit) => unit.parts.every(([part, stamp]) => stampOf(root + part) === stamp)))
    return kept.units.map((each) => each.path)
  const units = compare({ root, owner }, (each) => without.some((other) => each === other || each.startsWith(`${other}/`)))
  keep(file, { schemaVersion: 1, databases: at, without: without.join(' '), units })
  return units.map((each) => each.path)
}

function compare({ root, owner }: System, isOtherwise: (file: string) => boolean): readonly Unit[] {
  const listed = new Map(listedIn(root).filter(([file]) => !forServices.test(file) && !made.test(file) && !isOtherwise(file)))
  const same = new Map<string, Unit['parts']>()
  for (const [file, sum] of listed) {
    // The state before the content: a later change is then noticed.
    const stamp = stampOf(root + file)
    const bytes = stamp === null || !isForAll(root + file, owner) ? null : readBytes(root + file)
    if (
      stamp !== null &&
      bytes !== null &&
      createHash(algorithms.get(sum.length) ?? 'md5')
        .update(bytes)
        .digest('hex') === sum
    )
      same.set(file, [[file, stamp]])
  }
  const whole = (directory: string): Unit['parts'] | null => {
    const parts: (readonly [string, string])[] = []
    const stamp = stampOf(root + directory)
    if (stamp === null || isOtherwise(directory) || !isForAll(root + directory, owner)) return null
    for (const each of readdirSync(root + directory, { withFileTypes: true })) {
      const file = `${directory}/${each.name}`
      const inIt = each.isDirectory() ? whole(file) : each.isSymbolicLink() ? [] : (same.get(file) ?? null)
      if (inIt === null) return null
      parts.push(...inIt)
    }
    return [[directory, stamp], ...parts]
  }
  const units = new Map<string, Unit>()
  for (const [file, parts] of same) {
    // /etc/a/b/c: first /etc/a, then /etc/a/b, then the file itself.
    const ways = file.split('/').flatMap((_, index, names) => (index < 3 || index >= names.length ? [] : [names.slice(0, index).join('/')]))
    if (ways.some((each) => units.has(each))) continue
    const directory = ways.map((each) => ({ path: each, parts: whole(each) })).find((each): each is Unit => each.parts !== null)
    const unit = directory ?? { path: file, parts }
    units.set(unit.path, unit)
  }
  return [...units.values()].slice(0, mostUnits)
}

/** Returns the files of the databases that are in /etc, with their hash in hexadecimal digits. */
function listedIn(root: string): readonly (readonly [file: string, sum: string])[] {
  const textOf = (file: string): string => readRegularSync(root + file, mostBytes) ?? ''
  return [
    ...[...textOf(databases.dpkg).matchAll(/^ (\/etc\/\S+) ([0-9a-f]{32})$/gm)].map(([, file = '', sum = '']) => [file, sum] as const),
    ...[...textOf(databases.ucf).matchAll(/^([0-9a-f]{32}) {2}(\/etc\/\S+)$/gm)].map(([, sum = '', file = '']) => [file, sum] as const),
    ...namesIn(root + databases.pacman).flatMap((each) => {
      const files = textOf(`${databases.pacman}/${each}/files`)
      const backup = /^%BACKUP%\n(.*?)(?:\n\n|$(?![\s\S]))/ms.exec(files)?.[1] ?? ''
      return [...backup.matchAll(/^(etc\/[^\t]+)\t([0-9a-f]{32})$/gm)].map(([, file = '', sum = '']) => [`/${file}`, sum] as const)
    }),
    ...textOf(databases.apk)
      .split(/^F:/m)
      .flatMap((inDirectory) => {
        const directory = /^etc(?:\/.*)?$/m.exec(inDirectory.slice(0, inDirectory.indexOf('\n')))?.[0]
        if (directory === undefined) return []
        const files = inDirectory.matchAll(/^R:(.+)\n(?:a:.*\n)?Z:Q[12](\S+)$/gm)
        return [...files].map(([, name = '', sum = '']) => [`/${directory}/${name}`, Buffer.from(sum, 'base64').toString('hex')] as const)
      }),
    ...ofRpm(root),
  ].filter(([file]) => path.normalize(file) === file)
}

/** Returns the configuration files of rpm's packages in /etc. Takes about a second, because rpm prints the files of all packages. */
function ofRpm(root: string): readonly (readonly [file: string, sum: string])[] {
  const database = databases.rpm.find((each) => stampOf(root + each) !== null)
  const rpm = database === undefined ? null : hostProgram('rpm')
  if (database === undefined || rpm === null) return []
  const query = ['--dbpath', path.dirname(root + database), '-qa', '--qf', '[%{FILEFLAGS:fflags} %{FILEDIGESTS} %{FILENAMES}\n]']
  const { stdout } = spawnSync(rpm, query, {
    env: { PATH: systemPath, LC_ALL: 'C' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: rpmPatienceMs,
    maxBuffer: 4 * mostBytes,
  })
  const listed = (stdout ?? '').matchAll(/^\w*c\w* ([0-9a-f]{32,128}) (\/etc\/.+)$/gm)
  return [...listed].map(([, sum = '', file = '']) => [file, sum] as const)
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Returns the content of a file; null if it cannot be read. */
function readBytes(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

function statOf(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Returns what changes with a file's content; null if there is no file. */
function stampOf(file: string): string | null {
  const stat = statOf(file)
  return stat === undefined ? null : [stat.ino, stat.mode, stat.uid, stat.size, stat.mtimeNs, stat.ctimeNs].join('-')
}

/** Returns true for a file or directory of this owner that every user can read and only the owner can change. */
function isForAll(file: string, owner: number): boolean {
  const stat = statOf(file)
  if (stat === undefined || stat.uid !== BigInt(owner) || (stat.mode & 0o022n) !== 0n) return false
  return stat.isDirectory() ? (stat.mode & 0o005n) === 0o005n : stat.isFile() && (stat.mode & 0o004n) !== 0n
}

function keptIn(file: string): Compared | null {
  try {
    const value = JSON.parse(readRegularSync(file, mostBytes) ?? 'null') as Compared | null
    return value?.schemaVersion === 1 && value.units.every((each) => /^\/etc\/[^/]/.test(each.path)) ? value : null
  } catch {
    return null
  }
}

/** Keeps what was compared. If this is not possible, the next start compares again. */
function keep(file: string, value: Compared): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, JSON.stringify(value), { flag: 'wx', mode: 0o600 })
    renameSync(temporary, file)
  } catch {
    rmSync(temporary, { force: true })
  }
}
