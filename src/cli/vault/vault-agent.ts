import { exitCodes, messageOf, PaddockError } from '../../base/errors.ts'
import { type Paths, resolvePaths } from '../../base/paths.ts'
import { PassphraseKey } from '../../credentials/vault/age-key.ts'
import { keepUnlocked } from '../../credentials/vault/keep-unlocked.ts'
import { keyFromKeyring } from '../../credentials/vault/keyring-key.ts'
import { vaultMeans } from '../../credentials/vault/means.ts'
import { openVault, type Vault } from '../../credentials/vault/vault.ts'
import { passphraseFromInput } from '../terminal/ask-secret.ts'
import { onEndSignal } from '../terminal/signals.ts'

/** Runs `paddock vault agent`, which Paddock itself starts. Reports the result to the parent process, then detaches from it. */
export async function vaultAgent(options: { readonly until: string }): Promise<number> {
  const paths = resolvePaths(process.env)
  try {
    const until = Number(options.until)
    if (!Number.isSafeInteger(until)) throw new PaddockError('BAD_INPUT', 'paddock vault unlock starts this process itself.')
    const vault = await unlocked(paths)
    const stopped = new AbortController()
    onEndSignal(() => stopped.abort())
    const { ended } = await keepUnlocked(vault, paths, until, stopped.signal)
    await tell({})
    await ended
  } catch (error) {
    const { code, hint } = error instanceof PaddockError ? error : { code: 'CREDENTIAL_FAILED', hint: undefined }
    await tell({ code, message: messageOf(error), ...(hint === undefined ? {} : { hint }) })
    return exitCodes.cannot
  }
  return exitCodes.done
}

async function unlocked(paths: Paths): Promise<Vault> {
  const locked = await openVault(paths.config)
  if (locked.kind === 'keyring') return locked.unlock(await keyFromKeyring(vaultMeans(paths, process.env).keyring(locked.file)))
  return locked.unlock(new PassphraseKey(await passphraseFromInput()))
}

/** Writes one line, after which the parent process stops listening. */
function tell(answer: object): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.once('error', () => resolve())
    process.stdout.write(`${JSON.stringify(answer)}\n`, () => resolve())
  })
}
