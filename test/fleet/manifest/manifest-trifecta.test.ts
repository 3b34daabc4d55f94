import { expect, test } from 'vitest'
import { manifestTrifecta } from '../../../src/fleet/manifest/manifest-trifecta.ts'
import { readManifest } from '../../../src/fleet/manifest/read-manifest.ts'

const agents = [{ name: 'claude', webTool: 'web search of claude' }]
const rating = (yaml: string) => manifestTrifecta(readManifest(`name: a\n${yaml}`, ['command', 'claude', 'acp']), agents)

test('an agent with web tools has all three parts', () => {
  const all = {
    all: true,
    privateData: ['a directory of its own (rw)'],
    untrusted: ['web search of claude'],
    wayOut: ['what claude itself needs'],
  }
  expect(rating('agent: claude\n')).toEqual(all)
  expect(rating('agent: claude\nwebTools: false\n')).toEqual({ ...all, all: false, untrusted: [] })
})

test('hosts, presets, MCP servers, the internet, workspaces and secrets are evidence', () => {
  expect(
    rating(`
agent: command
command: [sh]
workspace: { copy: /p }
secrets: ['API_TOKEN=vault:x@api.test']
egress: { allow: ['api.test'], ask: ['b.test:80'], presets: [npm] }
`),
  ).toEqual({
    all: true,
    privateData: ['/p (a copy, rw)', '$API_TOKEN'],
    untrusted: ['preset npm', 'api.test', 'b.test'],
    wayOut: ['api.test', 'b.test:80 (asked)', 'preset npm'],
  })
  expect(rating('agent: command\ncommand: [sh]\negress: { policy: public }\n')).toMatchObject({
    all: true,
    untrusted: ['the internet'],
    wayOut: ['public'],
  })
  expect(rating('agent: command\ncommand: [sh]\negress: { policy: off }\n')).toMatchObject({ all: false, wayOut: [] })
})

test('a host to inspect, a host of a rule, and a repository are evidence', () => {
  const yaml = `agent: command
command: [sh]
repos: [git.test/o/r]
egress: { inspect: ['api.test'], rules: ['deny POST c.test/**'] }
`
  expect(rating(yaml)).toMatchObject({
    all: true,
    untrusted: ['repository git.test/o/r', 'api.test', 'c.test'],
    wayOut: ['api.test', 'c.test', 'git.test/o/r'],
  })
})
