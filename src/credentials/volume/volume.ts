import { existsSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { isSafeName, safeName } from '../../files/safe-name.ts'
import { type HostLogin, type LoginAgent, type LoginPlace, loginAgents, readHostLogins } from '../host-login.ts'
import { privateDirectory } from '../vault/private-place.ts'
import { type LoginFiles, loginFiles } from './files.ts'

/** A login of `paddock login`, in Paddock's own state: nothing but what the agent's CLI wrote down as its login. */
export interface Volume {
  readonly agent: Exclude<LoginAgent, 'gh'>
  readonly name: string
  readonly files: LoginFiles
  /** 0700. */
  readonly directory: string
  /** Laid out as a home, for whoever reads logins. */
  readonly home: string
  /** Not in the volume, so that it outlives it. */
  readonly lockFile: string
  /** Who holds the lock, for people. */
  readonly holderFile: string
}

/** The volume of this name, whether there is one or not. Throws BAD_INPUT for a name that cannot be one, or an agent without logins. */
export function volumeOf(state: string, agent: string, name: string): Volume {
  const known = loginAgents.filter((each) => each !== 'gh').find((each) => each === agent)
  if (known === undefined)
    throw new PaddockError('BAD_INPUT', `There are no logins of ${agent} in volumes.`, {
      hint: `The agents are ${loginAgents.filter((each) => each !== 'gh').join(', ')}.`,
    })
  const root = existsSync(state) ? realpathSync(state) : state
  const all = path.join(root, 'volumes', known)
  const directory = path.join(all, safeName(name, 'the name of the volume'))
  return {
    agent: known,
    name,
    files: loginFiles[known],
    directory,
    home: path.join(directory, 'home'),
    lockFile: path.join(all, `.${name}.lock`),
    holderFile: path.join(all, `.${name}.held.json`),
  }
}

/** All that there are, by name, of one agent or of all. */
export async function listVolumes(state: string, agent?: string): Promise<readonly Volume[]> {
  const found: Volume[] = []
  for (const each of loginAgents) {
    if (each === 'gh' || (agent !== undefined && each !== agent)) continue
    const entries = await readdir(path.join(state, 'volumes', each), { withFileTypes: true }).catch(() => [])
    for (const { name } of entries
      .filter((entry) => entry.isDirectory() && isSafeName(entry.name))
      .sort((a, b) => (a.name < b.name ? -1 : 1)))
      found.push(volumeOf(state, each, name))
  }
  return found
}

/** Makes its directories, each the user's alone. Throws NOT_ALLOWED where one is not. */
export async function makeVolume({ directory, home }: Volume): Promise<void> {
  const agents = path.dirname(directory)
  for (const each of [path.dirname(agents), agents, directory, home]) await privateDirectory(each)
}

/** Where the readers of logins look: in the volume and nowhere else. Whatever the system, the CLI wrote files. */
export function placeIn(agent: LoginAgent, home: string): LoginPlace {
  return { home, env: agent === 'claude' ? { CLAUDE_CONFIG_DIR: path.join(home, '.claude') } : {}, platform: 'linux' }
}

/** The logins in a volume; none: nobody has logged in. Rejects as `readHostLogins`. The caller owns the secrets. */
export async function readVolume({ agent, home, name }: Volume): Promise<readonly HostLogin[]> {
  return (await readHostLogins(agent, placeIn(agent, home))).map((each) => ({ ...each, volume: name }))
}
