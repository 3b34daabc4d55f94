import { inPlayRule } from '../../credentials/scan/secret-finding.ts'
import type { CopyRecord } from '../copy-record.ts'
import { isLink } from '../manifest.ts'
import type { Change } from './change.ts'
import type { ChangedSecrets } from './secrets.ts'

const mostLeaks = 200

/** Returns the credentials in play that belong in the record of a copy, each with the hash of its file. */
export function leaksOf(changes: readonly Change[], secrets: ChangedSecrets): NonNullable<CopyRecord['leaks']> {
  const leaks: NonNullable<CopyRecord['leaks']> = []
  for (const [path, findings] of secrets.findings) {
    const now = changes.find((each) => each.path === path)?.now ?? null
    if (now === null || isLink(now)) continue
    for (const finding of findings) if (finding.rule === inPlayRule) leaks.push({ path, sha256: now.sha256, finding })
  }
  return leaks.slice(0, mostLeaks)
}
