import { expect, test } from 'vitest'
import { agentsOnMachine } from '../../../src/adapters/agent-facts.ts'
import { inspectMachine } from '../../../src/cell/plan/machine-facts.ts'
import { planFor } from '../../../src/cell/plan/plan-for.ts'
import { authorityOf } from '../../../src/egress/inspect/tls/authority-of.ts'
import { Secret } from '../../../src/secrets/secret.ts'

import { pathsBelow } from '../../support/real-cell.ts'
import { temporary } from '../../support/temporary.ts'
import { spec } from '../machine.ts'

const canary = 'sk-canary-of-a-real-key-0123456789'

test('a plan is JSON with certificates and names, and has no key, no credential and no authority', async () => {
  await using root = await temporary()
  const paths = pathsBelow(root.path)
  const { project: _, ...asked } = spec({
    cwd: '/tmp',
    egress: { mode: 'allowlist', entries: [{ host: 'a.example', ports: [443], internal: false, source: 'user' }] },
    credentials: [
      {
        name: 'KEY',
        hosts: [{ host: 'a.example', port: 443, tls: true, paths: ['/**'] }],
        places: [{ kind: 'header', name: 'x-api-key' }],
        placeholders: () => ['sk-placeholder'],
        secret: async () => Secret.fromText('KEY', canary),
      },
    ],
  })
  const authority = authorityOf(asked.egress, asked.credentials ?? [])
  const certificate = authority?.certificate ?? null
  const { planned } = planFor(asked, inspectMachine({ HOME: paths.userHome }, paths, agentsOnMachine), () => new Set(), certificate)
  const text = JSON.stringify(planned)
  expect(JSON.parse(text)).toEqual(planned)
  expect(text).toContain(JSON.stringify(certificate).slice(1, -3))
  for (const secret of [canary, 'PRIVATE KEY', authority?.leaf('a.example').key ?? 'no key']) expect(text).not.toContain(secret)
})
