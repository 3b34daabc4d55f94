import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { endOf, fleetPlace, giveJob, serveFleet } from '../probe/probe-fleet.ts'

const plain = { agent: 'command', command: ['cat'], egress: { policy: 'off' } }
/** Asks for an address in the user's network. */
const asking = {
  agent: 'command',
  command: ['sh', '-c', 'echo used'],
  egress: { policy: 'allowlist', allow: ['probe.example:9=127.0.0.1:9'] },
}

export const unapprovedManifestsNotUsed: Guarantee = {
  id: 'unapproved-manifests-not-used',
  chapter: 'fleet',
  claim:
    'A manifest with which an operator asks for more than an owner agreed to is not used for any job or terminal until an owner approves it.',
  mechanism:
    'The server derives everything that a manifest asks for: secrets, credentials in the cell, variables, repositories, endpoints, wide policies and internal addresses. Unless all of it was approved for that agent, or is in fleet.credentials, the manifest is stored beside the approved one.',
  kind: 'policy',
  why: 'Jobs and terminals read only the approved manifest, and a new agent without one does not work. Only the role of an owner can approve.',
  fails: [
    'You approve a manifest that you did not read: paddock agent show NAME prints what it asks for.',
    'fleet.credentials lists something that operators should not have.',
    'Agents that existed before a version of Paddock that asks keep what they had.',
  ],
  probe: async (bench) => {
    await using fleet = await serveFleet(bench, await fleetPlace(bench))
    if (fleet === null) return unenforceable('the probe cannot start another Paddock from here, so no fleet was served')
    const [owner, operator] = [await fleet.as('owner'), await fleet.as('operator')]
    await operator('POST', '/agents', { manifest: { name: 'known', ...plain } })
    const edited = await operator('PUT', '/agents/known', { manifest: { name: 'known', ...asking } }, { 'if-match': '"1"' })
    const made = await operator('POST', '/agents', { manifest: { name: 'fresh', ...asking } })
    if (made.status !== 201 || edited.status !== 200)
      return broken(`no manifest waits, so the probe is inconclusive: ${JSON.stringify([made.body, edited.body])}`)
    const waiting = await giveJob(operator, 'fresh')
    const terminal = await operator('POST', '/agents/fresh/sessions', { command: ['sh'], size: { columns: 80, rows: 24 } })
    const approvals = await Promise.all(
      ['fresh', 'known'].map((each) => operator('POST', `/agents/${each}/approve`, { version: each === 'fresh' ? 1 : 2, allowed: true })),
    )
    const before = await endOf(operator, await giveJob(operator, 'known'))
    if (before.text.includes('used')) return broken('an agent worked with a manifest of an operator that no owner had approved')
    const { body: job } = await operator('GET', `/jobs/${waiting}`)
    if (job.state !== 'queued') return broken(`a new agent started a job although no owner had approved its manifest: ${job.state}`)
    if (terminal.status < 400) return broken('a terminal was opened in a new agent although no owner had approved its manifest')
    if (approvals.some(({ status }) => status !== 403)) return broken('an operator approved a manifest')
    await owner('POST', '/agents/fresh/approve', { version: 1, allowed: true })
    const after = await endOf(owner, waiting)
    if (before.state !== 'done' || after.state !== 'done' || !after.text.includes('used'))
      return broken(`no job ran with an approved manifest (${before.state}, ${after.state}), so the probe is inconclusive`)
    return held(
      'an operator asked for an address of this host: a new agent started no job and no terminal, a known one worked with the manifest before, and the operator could approve neither; approved by an owner, the job that had waited ran',
    )
  },
}
