import path from 'node:path'
import { expect, test } from 'vitest'
import { localHosts } from '../../../src/fleet/agents/local-hosts.ts'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { openFleet } from '../../../src/fleet/fleet.ts'
import type { ToHost } from '../../../src/fleet/host-process/host-protocol.ts'
import { manifestSchema } from '../../../src/fleet/manifest/manifest-schema.ts'
import { isRoot, makeStage } from '../../support/cli.ts'
import { paddockProgram } from '../host-process/host-stage.ts'

test('the first job of a new host process is sent once', async () => {
  using stage = makeStage(isRoot ? 'root' : 'user')
  const data = fleetData(path.join(stage.root, 'fleet'))
  const hosts = localHosts({ data, program: paddockProgram, env: stage.env })
  const sent: ToHost[] = []
  await using fleet = await openFleet({
    data,
    hosts: {
      ...hosts,
      async start(agent) {
        const link = await hosts.start(agent)
        return {
          ...link,
          send(frame) {
            sent.push(frame)
            link.send(frame)
          },
        }
      },
    },
    warn: () => undefined,
  })
  const manifest = manifestSchema.parse({ name: 'echo', agent: 'command', command: ['cat'], egress: { policy: 'off' } })
  const agent = fleet.create(manifest, null)
  const { job } = fleet.give({
    agent: agent.id,
    labels: [],
    prompt: 'x',
    requestedBy: 'test',
    continues: null,
    idempotencyKey: null,
    conversation: null,
  })
  await expect.poll(async () => fleet.jobs.get(job.id)?.state).toBe('done')
  expect(sent.filter(({ type }) => type === 'run')).toHaveLength(1)
  await fleet.remove(agent)
})
