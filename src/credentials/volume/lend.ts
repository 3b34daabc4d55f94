import path from 'node:path'
import type { AuditSink } from '../../audit/event.ts'
import { messageOf } from '../../base/errors.ts'
import type { CellCredential } from '../../egress/placeholder/credential.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { LoginPlace } from '../agent-login.ts'
import { disposeLogin } from '../agent-login.ts'
import { openRefresher } from '../refresh/refresher.ts'
import type { TokenTransport } from '../refresh/transport.ts'
import { lendHome, readLeft } from './adopt.ts'
import { holdVolume } from './hold-volume.ts'
import { lentRenewal } from './lent-renewal.ts'
import { readVolume, type Volume } from './volume.ts'
import { defaultVolume } from './volume-files.ts'
import { heldStore } from './volume-store.ts'

/** A volume's login that is lent to one cell. */
export interface LentLogin {
  /** A directory with the login file that replaces the CLI's state directory, because many CLIs replace the file as a whole. */
  readonly directory: string
  /** Endpoints at which the gateway renews the login for the cell. They contain no placeholder. */
  readonly credentials: readonly CellCredential[]
  /** Removes the lent directory. The volume keeps its login, with the renewals that the gateway made. */
  end(): Promise<void>
}

export interface LendDeps {
  readonly stateDirectory: string
  /** The host's own place, where programs with OAuth clients are found. */
  readonly place: LoginPlace
  readonly audit: AuditSink
  readonly notice: (sentence: string) => void
  readonly transport?: TokenTransport
}

/** How long to wait for a volume, in milliseconds. A renewal takes at most this long, but a cell takes much longer. */
const patienceMs = 3_000

/**
 * Lends the login of a volume to one cell, which may write to its copy. Nothing that the cell writes gets into the volume: the cell could
 * have written the login of another account. The gateway renews the login for the cell and stores the new tokens itself.
 * @throws PaddockError BUSY if another process holds the volume.
 */
export async function lendLogin(volume: Volume, deps: LendDeps): Promise<LentLogin> {
  await using open = new AsyncDisposableStack()
  open.use(await holdVolume(volume, `a cell of ${volume.agent}`, patienceMs))
  const credentials: CellCredential[] = []
  const lentTokens = new Set<string>()
  for (const login of await readVolume(volume)) {
    open.defer(() => disposeLogin(login))
    const store = heldStore(login, volume)
    const refresher = openRefresher(login, { ...deps, store })
    open.defer(async () => {
      await refresher.settle()
      refresher.close()
    })
    await refresher.settle()
    const renewal = await lentRenewal({ login, store, refresher, place: deps.place, lent: lentTokens })
    if (renewal !== null) credentials.push(renewal)
  }
  const lent = await lendHome(volume)
  open.defer(() => removeTree(lent))
  open.defer(() => reportLeft(volume, lent, lentTokens, deps))
  const ending = open.move()
  return {
    directory: path.dirname(path.join(lent, volume.files.file)),
    credentials,
    end: () => ending.disposeAsync(),
  }
}

/** Reports a login that a cell left and that is not the lent one. */
async function reportLeft(volume: Volume, lent: string, known: ReadonlySet<string>, { audit, notice }: LendDeps): Promise<void> {
  const { agent, name } = volume
  try {
    const left = await readLeft(volume, lent)
    if (left === null || left.tokens.every((each) => known.has(each))) return
    const command = `paddock login ${agent}${name === defaultVolume ? '' : ` --volume ${name}`}`
    notice(`${agent} left another login in its cell; the volume "${name}" keeps the old one (to replace it: ${command}).`)
  } catch (error) {
    notice(messageOf(error))
  }
  audit({ kind: 'credential.login', data: { agent, volume: name, outcome: 'refused' } })
}
