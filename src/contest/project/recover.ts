import { listCopies } from '../../copy/all-copies.ts'
import { type CopyHost, copiesDirectory } from '../../copy/copy-host.ts'
import { type RecoveredCopy, recoverCopy } from '../../copy/open-copy.ts'

/** Completes interrupted applies to this project. The caller must hold the lock of the project. */
export async function recoverAll(project: string, host: CopyHost, onRecovered?: (recovered: RecoveredCopy) => void): Promise<void> {
  const { copies } = await listCopies(copiesDirectory(host.paths))
  for (const each of copies.filter(({ record }) => record.project === project)) {
    const recovered = await recoverCopy(each, host)
    if (recovered !== null) onRecovered?.(recovered)
  }
}
