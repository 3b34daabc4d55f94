import type { AgentAdapter, CredentialSource } from '../../adapters/adapter.ts'
import { expiryOf } from '../../credentials/expiry.ts'
import { defaultVolume } from '../../credentials/volume/files.ts'
import { PaddockError } from '../../errors.ts'
import type { CredentialWishes } from '../../run/cell-credentials.ts'
import type { ContestDeps } from './deps.ts'

/** Says before anything runs that a stored login has ended or ends soon. Throws LOGIN_NEEDED where it is of no use any more. */
export async function checkLogin(
  adapter: AgentAdapter,
  source: CredentialSource | null,
  { mode, volume = null }: Pick<CredentialWishes, 'mode' | 'volume'>,
  place: string,
  deps: ContestDeps,
): Promise<void> {
  if (source?.kind !== 'snapshot') return
  const warn = (message: string): void => deps.progress({ type: 'warning', message: `${place}: ${message}` })
  try {
    const logins = await deps.logins.read(adapter.name, mode === 'volume' ? (volume ?? defaultVolume) : null)
    if (mode === 'volume' && logins.length === 0)
      throw new PaddockError('LOGIN_NEEDED', `${place}: there is no login of ${adapter.name} in the volume "${volume ?? defaultVolume}".`, {
        hint: `log in with: paddock login ${adapter.name}${volume === null ? '' : ` --volume ${volume}`}`,
      })
    const ends = logins.map((login) => expiryOf(login, deps.now().getTime()))
    // Of several, the model decides which one counts.
    const ended = ends.length > 0 && ends.every((each) => each.state === 'ended' && !each.renewable) ? ends[0] : undefined
    if (ended?.sentence != null)
      throw new PaddockError('LOGIN_NEEDED', `${place}: ${ended.sentence}`, { hint: ended.hint ?? `log in with: ${adapter.program}` })
    for (const { sentence, hint } of ends) if (sentence !== null) warn(`${sentence} ${hint ?? ''}`.trim())
  } catch (error) {
    // A copy of what Paddock cannot read may still be of use to a newer CLI.
    if (!(error instanceof PaddockError) || error.code === 'LOGIN_NEEDED') throw error
    warn(`${error.message} ${error.hint ?? ''}`.trim())
  }
}
