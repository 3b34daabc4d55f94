import { PaddockError } from '../../base/errors.ts'
import { type Paths, resolvePaths } from '../../base/paths.ts'
import { durationRule, formatDuration, parseDuration } from '../../base/quantities.ts'
import { agentDirectory, connectAgent } from '../../credentials/vault/agent-client.ts'
import { type OwnProgram, startVaultAgent } from '../../credentials/vault/start-agent.ts'
import { openVault } from '../../credentials/vault/vault.ts'
import { vaultPath } from '../../credentials/vault/vault-file.ts'
import { noteEvent } from '../audit/note-event.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { type PassphraseOptions, presentPassphrase } from './vault-open.ts'

const longestUnlockMs = 24 * 60 * 60_000

const pathsNow = (): Paths => resolvePaths(process.env)

const ownProgram = (): OwnProgram => ({ program: [process.execPath, process.argv[1] ?? ''], env: process.env })

/** `paddock vault unlock`: lets later commands read the vault without asking, until the time is up. */
export async function vaultUnlock(options: PassphraseOptions & { readonly for: string }): Promise<Answer<Result<'vault unlock'>>> {
  const paths = pathsNow()
  const time = parseDuration(options.for)
  if (time === null || time > longestUnlockMs)
    throw new PaddockError('BAD_INPUT', `--for ${options.for}: a vault cannot stay unlocked for that time.`, {
      hint: `Give ${durationRule}, at most 24h`,
    })
  const restored = await restoreDeleted(paths)
  const locked = await openVault(paths.config)
  const until = Date.now() + time
  if (locked.kind === 'keyring') await startVaultAgent(null, until, ownProgram())
  else {
    using passphrase = await presentPassphrase(options)
    await startVaultAgent(passphrase, until, ownProgram())
  }
  noteEvent(paths, 'vault.unlocked', { until: new Date(until).toISOString(), restored })
  return {
    data: { schemaVersion: 1, file: locked.file, until: new Date(until).toISOString(), restored },
    notes: [
      ...(restored ? [`${locked.file} had been deleted, and was written again from memory`] : []),
      `Vault unlocked for ${formatDuration(time)}. To lock it sooner: paddock vault lock`,
    ],
  }
}

/** Restores a vault file that was deleted while it was unlocked, from the memory of the vault agent. */
async function restoreDeleted(paths: Paths): Promise<boolean> {
  using agent = await connectAgent(paths.state)
  if (agent === null || (await agent.status()).file !== vaultPath(paths.config)) return false
  return await agent.restore()
}

/** Runs `paddock vault lock`. */
export async function vaultLock(): Promise<Answer<Result<'vault lock'>>> {
  const paths = pathsNow()
  using agent = await connectAgent(paths.state)
  await agent?.lock()
  const was = agent !== null
  if (was) noteEvent(paths, 'vault.locked', {})
  return {
    data: { schemaVersion: 1, locked: true, was: was ? 'unlocked' : 'locked', directory: agentDirectory(paths.state) },
    notes: [was ? 'the vault is locked' : 'the vault was not unlocked'],
  }
}
