import { reachOf } from '../../cell/plan/trifecta/trifecta.ts'
import { shownPath } from '../../credentials/scan/secret-finding.ts'
import { survey } from '../../credentials/scan/survey.ts'
import { type Scene, tell } from '../state/scene.ts'
import type { ReadyRole } from './role.ts'

const mostShown = 5

/** Warns of files in raw/ that seem to contain secrets, if a participant that sees them has network access. A quick check. */
export async function warnOfSecrets(scene: Scene, ready: readonly ReadyRole[]): Promise<void> {
  const { raw, masks, layout } = scene.contest
  const who = ready.find((each) => reachOf(each.run.egress) !== null)
  if (raw === null || who === undefined) return
  const hidden = masks.map((each) => each.source).filter((each) => each.startsWith(`${layout.raw}/`))
  const { files } = await survey([{ root: raw, hidden: hidden.map((each) => each.slice(layout.raw.length + 1)) }])
  for (const { path, secrets, what } of files.slice(0, mostShown)) {
    const count = secrets === 1 ? `a secret (${what})` : `${secrets} secrets`
    const message = `raw/${shownPath(path)} contains what looks like ${count}, and participant ${who.name} can reach ${reachOf(who.run.egress)}; to hide it, write mask: [raw/${shownPath(path)}] into contest.yaml`
    await tell(scene, { type: 'warning', message })
  }
  if (files.length > mostShown)
    await tell(scene, { type: 'warning', message: `${files.length - mostShown} more files in raw/ contain what looks like secrets` })
}
