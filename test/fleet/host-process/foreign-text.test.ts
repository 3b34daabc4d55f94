import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { quotedData } from '../../../src/fleet/jobs/quoted-data.ts'
import { hostStage } from './host-stage.ts'

it('with forbid, a job that reads foreign text in its prompt, its memory or its conversation is refused', async () => {
  await using at = hostStage()
  const bin = path.join(at.stage.root, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\necho ran\n', { mode: 0o755 })
  Object.assign(at.stage.env, { PATH: `${bin}:${at.stage.env['PATH']}` })
  writeFileSync(path.join(at.stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml'), 'schemaVersion: 1\nrun: { trifecta: forbid }\n')
  const client = await at.start()
  const ran = async (more: { readonly prompt?: string; readonly untrusted?: string[] }): Promise<string> => {
    const manifest = { agent: 'claude', command: undefined, egress: undefined, webTools: false, credentials: 'none' } as const
    const { outcome } = await at.ended(at.run(client, [], { manifest, ...more }))
    return outcome.message ?? ''
  }
  expect(await ran({})).not.toContain('trifecta')
  expect(await ran({ prompt: `Look.\n\n${quotedData('another program', 'a body')}` })).toContain(
    'read text of others (text of another program)',
  )
  expect(await ran({ untrusted: ['memory of the agent a'] })).toContain('read text of others (memory of the agent a)')
})
