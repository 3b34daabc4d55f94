import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Statement } from '../../../src/attest/statement-schema.ts'
import { everyone, paddock } from '../../support/cli.ts'
import { accepts, asJson, listening, valuesOf } from '../../support/collector.ts'
import { jobIn } from '../../support/fleet-job.ts'
import { startFleet } from '../../support/fleet-server.ts'

const script = readFileSync(path.join(import.meta.dirname, '../../fixtures/acp-agent.mjs'), 'base64')

test.each(everyone)('a job of a fleet is a trace with its tools, and can be attested, as %s', async (who) => {
  using collector = await listening(accepts)
  await using fleet = await startFleet(who, [], (env) => ({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...asJson }))
  // A busy machine needs longer for a request than a collector may take.
  const config = path.join(fleet.stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml')
  appendFileSync(config, 'telemetry:\n  otlp:\n    timeout: 2m\n')
  const manifest = {
    name: 'observed',
    agent: 'acp',
    command: ['node', '--input-type=module', '-e', `await import('data:text/javascript;base64,${script}')`],
  }
  expect((await fleet.api.POST('/api/v1/agents', { body: { manifest } })).error).toBeUndefined()
  const job = await jobIn(fleet, 'observed', 'Write answer.txt.')
  expect(job.state).toBe('done')
  await expect
    .poll(() => collector.spans().map(({ name }) => name), { timeout: 120_000 })
    .toEqual(['invoke_agent acp', 'execute_tool edit'])
  const [root] = collector.spans()
  expect(root === undefined ? {} : valuesOf(root)).toMatchObject({ 'paddock.cell.name': `observed ${job.id}` })

  expect((await paddock(fleet.stage, ['completion-values', 'ended-work', '--', job.id.slice(0, 6)])).stdout).toBe(`${job.id}\n`)
  const { stdout, stderr } = await paddock(fleet.stage, ['attest', 'make', job.id, '--json'])
  expect(stderr).toBe('')
  const { predicate } = (JSON.parse(stdout) as { statement: Statement }).statement
  const cells = [{ name: `observed ${job.id}`, agent: { name: 'acp' }, ending: 'exited', hostsReached: [] }]
  expect(predicate).toMatchObject({ kind: 'job', id: job.id, cells })
})
