import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { everyone, inCell, makeStage, paddock } from '../../support/cli.ts'

test.each(everyone)('rules of a project do not override a set that the user names, as %s', async (who) => {
  using stage = makeStage(who)
  const server = createServer((_request, response) => response.end('reached'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  writeFileSync(`${stage.project}/.paddock.yaml`, 'schemaVersion: 1\nrun:\n  egress: { rules: ["allow * a.example/**"] }\n')
  stage.own()
  const trusted = await paddock(stage, ['trust'])
  expect(trusted.stderr).toContain('rules of a project may only deny or ask')
  // A rule that asks is trusted, and the user's own rule set still takes precedence.
  writeFileSync(`${stage.project}/.paddock.yaml`, 'schemaVersion: 1\nrun:\n  egress: { rules: ["ask DELETE a.example:80/**"] }\n')
  stage.own()
  expect((await paddock(stage, ['trust'])).code).toBe(0)
  const ran = await inCell(stage, 'curl -sS -X DELETE http://a.example/x', {
    args: ['--rules', 'delete', '--inspect', `a.example:80=127.0.0.1:${port}`],
  })
  server.close()
  writeFileSync(`${stage.project}/.paddock.yaml`, 'schemaVersion: 1\nrun:\n  egress: { allow: ["a.example:8080"] }\n')
  stage.own()
  expect((await paddock(stage, ['trust'])).code).toBe(0)
  const asked = await paddock(stage, ['run', '--dry-run', '--json', '--ask', 'a.example:8080', '--', 'true'])
  const { entries } = JSON.parse(asked.stdout).egress as { entries: { host: string; ask?: boolean }[] }
  // Among equally specific names, the first one counts.
  expect(entries.map(({ host, ask }) => [host, ask === true])).toEqual([
    ['a.example', true],
    ['a.example', false],
  ])
  expect(ran.stdout).toContain('paddock: denied by rule "deny DELETE /**" (delete)')
})
