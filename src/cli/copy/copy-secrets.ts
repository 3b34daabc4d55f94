import { adapters } from '../../adapters/registry.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import { isLink } from '../../copy/manifest.ts'
import type { CopyRecord } from '../../copy/record.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import type { ChangedSecrets } from '../../copy/reviewing/secrets.ts'
import { type Finding, inPlayRule } from '../../credentials/scan/finding.ts'
import { inPlay } from '../../credentials/scan/in-play.ts'
import type { Secret } from '../../secrets/secret.ts'

const mostLeaks = 200

/** The credentials that agents may have been given on this machine: their logins, and variables of their own that are set now. */
export function credentialsHere(env: NodeJS.ProcessEnv, userHome: string): Secret[] {
  const sources = adapters.flatMap((each) => each.credentials(userHome))
  const names = sources.flatMap((each) => (each.kind === 'env' ? [each.name] : []))
  const set = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  const files = sources.flatMap((each) => (each.kind === 'snapshot' ? [each.hostPath] : []))
  return inPlay({ env: Object.fromEntries(set), credentialNames: names, files })
}

/** The credentials that a cell was given by these wishes. */
export function credentialsOf(spec: CellSpec, userHome: string): Secret[] {
  const sources = adapters.flatMap((each) => each.credentials(userHome))
  const logins = new Set(sources.flatMap((each) => (each.kind === 'snapshot' ? [each.hostPath] : [])))
  return inPlay({
    env: spec.env,
    credentialNames: sources.flatMap((each) => (each.kind === 'env' ? [each.name] : [])),
    files: spec.mounts.map((each) => each.source).filter((each) => logins.has(each)),
  })
}

/** What the record of a copy keeps of what was in play: by the very bytes of the file. */
export function leaksOf(changes: readonly Change[], secrets: ChangedSecrets): NonNullable<CopyRecord['leaks']> {
  const leaks: NonNullable<CopyRecord['leaks']> = []
  for (const [path, findings] of secrets.findings) {
    const now = changes.find((each) => each.path === path)?.now ?? null
    if (now === null || isLink(now)) continue
    for (const finding of findings) if (finding.rule === inPlayRule) leaks.push({ path, sha256: now.sha256, finding })
  }
  return leaks.slice(0, mostLeaks)
}

/** `line 3 (github token, ghp_…)`: findings of one file in a few words. */
export function secretWords(findings: readonly Finding[]): string {
  const words = findings.slice(0, 3).map((each) => {
    const what = each.rule === inPlayRule ? `${each.what}, which was in play` : `${each.what}, ${each.masked}`
    return each.line === null ? what : `line ${each.line} (${what})`
  })
  return findings.length > words.length ? `${words.join(', ')} and ${findings.length - words.length} more` : words.join(', ')
}

/** A line of a file as it may be shown: without what looks like a secret, and with all that stands beside it. */
export function shownLine(text: string, line: number, findings: readonly Finding[]): string {
  const hidden: { readonly from: number; readonly to: number }[] = []
  for (const each of findings) {
    const last = each.endLine ?? each.line
    if (each.line === null || last === null || line < each.line || line > last || each.column === null || each.endColumn === undefined)
      continue
    // Columns of what was in play are bytes.
    const at = (column: number): number =>
      each.rule === inPlayRule
        ? Buffer.from(text)
            .subarray(0, column - 1)
            .toString().length
        : column - 1
    hidden.push({ from: line === each.line ? at(each.column) : 0, to: line === last ? at(each.endColumn) : text.length })
  }
  let [shown, end] = ['', 0]
  for (const { from, to } of hidden.sort((a, b) => a.from - b.from)) {
    if (to <= end) continue
    shown += `${text.slice(end, Math.max(from, end))}[hidden: it looks like a secret]`
    end = to
  }
  return shown + text.slice(end)
}
