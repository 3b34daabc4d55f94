import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeJson } from '../../files/atomic.ts'
import { pool } from '../run/pool.ts'
import { setUpTree } from '../run/set-up-tree.ts'
import { deliveredSubmissions } from '../seal/delivered.ts'
import { restoreLinks } from '../seal/restore-links.ts'
import { unseal } from '../seal/unseal.ts'
import { type Scene, tell } from '../state/scene.ts'
import { runCheck } from './check.ts'
import { type CheckResult, checksSchema } from './result.ts'

/** Runs all checks on all sealed submissions that were not checked yet. */
export async function runChecks(scene: Scene): Promise<void> {
  const { contest, journal, deps } = scene
  const submissions = (await deliveredSubmissions(scene)).filter((each) => journal.participant(each.participant).state === 'sealed')
  if (submissions.length === 0) return
  const { checks } = contest.config
  if (checks.length > 0)
    await tell(scene, { type: 'step', step: 'checks', total: submissions.length * checks.length, open: submissions.length * checks.length })
  await pool(submissions, scene.slots, deps.signal, async (submission) => {
    const results: CheckResult[] = []
    const subject = {
      name: submission.participant,
      async layDown(directory: string) {
        await unseal(submission.sealed, submission.seal, directory)
        if (contest.config.start !== undefined)
          await restoreLinks(path.join(contest.layout.root, contest.config.start), submission.seal, directory)
        // The check fails by itself if it needs what a broken lock file does not give.
        const problem = await setUpTree(scene, directory, { isAgents: true, say: () => undefined })
        if (problem !== null) await tell(scene, { type: 'warning', message: `${submission.participant}: ${problem}` })
      },
    }
    for (const check of checks) {
      const work = path.join(scene.scratch, 'checks', submission.participant, check.name)
      const result = await runCheck(scene, subject, check, work)
      if (deps.signal.aborted) return
      results.push(result)
      await tell(scene, {
        type: 'checked',
        name: submission.participant,
        check: check.name,
        result: result.result,
        why: result.why,
        durationMs: result.durationMs,
      })
    }
    const { round } = journal.status
    await writeJson(contest.layout.sealed(round, submission.participant).checks, {
      schemaVersion: 1,
      tree: submission.seal.tree,
      checks: results,
    })
    await journal.setParticipant(submission.participant, { state: 'checked' })
  })
}

/** Returns the check results of one sealed submission. Empty if the file does not exist. */
export async function readChecks(file: string): Promise<readonly CheckResult[]> {
  try {
    return checksSchema.parse(JSON.parse(await readFile(file, 'utf8'))).checks
  } catch {
    return []
  }
}
