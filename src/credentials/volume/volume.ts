import { existsSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { isSafeName, safeName } from '../../files/safe-name.ts'
import type { HostLogin, LoginPlace } from '../agent-login.ts'
import { type LoginFormat, namesOfFormats } from '../format.ts'
import { privateDirectory } from '../vault/private-place.ts'
import type { LoginFiles } from './volume-files.ts'

/** A login of `paddock login` in Paddock's own state. It contains only the login, as the agent's CLI wrote it. */
export interface Volume {
  readonly agent: string
  readonly format: LoginFormat
  readonly name: string
  readonly files: LoginFiles
  /** The directory of the volume, with mode 0700. */
  readonly directory: string
  /** The directory that is laid out as a home, for readers of logins. */
  readonly home: string
  /** The lock file. It is outside the volume, so that it outlives the volume. */
  readonly lockFile: string
}

/** Returns the volume with this name, even if it does not exist. Throws BAD_INPUT for an invalid name, or an agent without logins. */
export function volumeOf(formats: readonly LoginFormat[], state: string, agent: string, name: string): Volume {
  const format = formats.find((each) => each.agent === agent)
  if (format?.files === undefined)
    throw new PaddockError('BAD_INPUT', `There are no logins of ${agent} in volumes.`, {
      hint: `Use one of: ${namesOfFormats(formats.filter((each) => each.files !== undefined)).join(', ')}`,
    })
  const root = existsSync(state) ? realpathSync(state) : state
  const all = path.join(root, 'volumes', agent)
  const directory = path.join(all, safeName(name, 'the name of the volume'))
  return {
    agent,
    format,
    name,
    files: format.files,
    directory,
    home: path.join(directory, 'home'),
    lockFile: path.join(all, `.${name}.lock`),
  }
}

/** Returns all volumes, sorted by name, of one agent or of all. */
export async function listVolumes(formats: readonly LoginFormat[], state: string, agent?: string): Promise<readonly Volume[]> {
  const found: Volume[] = []
  for (const { agent: each, files } of formats) {
    if (files === undefined || (agent !== undefined && each !== agent)) continue
    const entries = await readdir(path.join(state, 'volumes', each), { withFileTypes: true }).catch(() => [])
    for (const { name } of entries
      .filter((entry) => entry.isDirectory() && isSafeName(entry.name))
      .sort((a, b) => (a.name < b.name ? -1 : 1)))
      found.push(volumeOf(formats, state, each, name))
  }
  return found
}

/** Makes the volume's directories, accessible only by the user. Throws NOT_ALLOWED if others can access one of them. */
export async function makeVolume({ directory, home }: Volume): Promise<void> {
  const agents = path.dirname(directory)
  for (const each of [path.dirname(agents), agents, directory, home]) await privateDirectory(each)
}

/** Returns the place for readers of a volume's logins, which look nowhere else. The CLI writes files there, regardless of the system. */
export function placeIn({ files }: LoginFormat, home: string): LoginPlace {
  const env = Object.entries(files?.env ?? {}).map(([name, directory]) => [name, path.join(home, directory)])
  return { home, env: Object.fromEntries(env), platform: 'linux' }
}

/** Returns the logins in a volume; empty if nobody has logged in. Rejects like `LoginFormat.read`. The caller owns the secrets. */
export async function readVolume({ format, home, name }: Volume): Promise<readonly HostLogin[]> {
  return (await format.read(placeIn(format, home))).map((each) => ({ ...each, volume: name }))
}
