import type { AgentAdapter, CredentialSource } from '../adapters/adapter.ts'
import { PaddockError } from '../base/errors.ts'
import { expiryOf } from '../credentials/expiry.ts'
import { defaultVolume } from '../credentials/volume/volume-files.ts'
import type { RunHost } from '../host.ts'
import type { CredentialWishes } from './cell-credentials.ts'

/**
 * Checks, before anything runs, whether a stored login has expired or expires soon, and returns notes for the user. Each sentence starts
 * with `place`. `now` is in milliseconds since the epoch.
 * @throws PaddockError LOGIN_NEEDED for a login that can no longer be used
 */
export async function checkLogin(
  adapter: AgentAdapter,
  source: CredentialSource | null,
  { mode, volume = null }: Pick<CredentialWishes, 'mode' | 'volume'>,
  { place, now }: { readonly place: string; readonly now: number },
  host: Pick<RunHost, 'logins'>,
): Promise<readonly string[]> {
  if (source?.kind !== 'snapshot') return []
  try {
    const logins = await host.logins.read(adapter.name, mode === 'volume' ? (volume ?? defaultVolume) : null)
    if (mode === 'volume' && logins.length === 0)
      throw new PaddockError('LOGIN_NEEDED', `${place}The volume "${volume ?? defaultVolume}" has no login of ${adapter.name}.`, {
        hint: `Run: paddock login ${adapter.name}${volume === null ? '' : ` --volume ${volume}`}`,
      })
    const ends = logins.map((login) => expiryOf(login, now))
    // If there are several logins, the model determines which one is used.
    const ended = ends.length > 0 && ends.every((each) => each.state === 'ended' && !each.renewable) ? ends[0] : undefined
    if (ended?.sentence != null)
      throw new PaddockError('LOGIN_NEEDED', `${place}${ended.sentence}`, { hint: ended.hint ?? `Run: ${adapter.program}` })
    return ends.flatMap(({ sentence, hint }) => (sentence === null ? [] : [`${place}${sentence} ${hint ?? ''}`.trim()]))
  } catch (error) {
    // A newer CLI may still be able to use a copy of a login that Paddock cannot read.
    if (!(error instanceof PaddockError) || error.code === 'LOGIN_NEEDED') throw error
    return [`${place}${error.message} ${error.hint ?? ''}`.trim()]
  }
}
