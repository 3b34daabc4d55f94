import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readRequest } from '../../../src/config/request/read-request.ts'
import { untrustedContent as listed, untrustedSources } from '../../../src/run/trifecta/untrusted-content.ts'
import { temporary } from '../../support/temporary.ts'

const now = Date.parse('2026-11-30T12:00:00Z')
const request = (egress: Parameters<typeof readRequest>[1]['egress'], isPrivate = false) =>
  readRequest({ agent: 'claude', private: isPrivate }, { egress }, (key) => ({ place: key, from: 'caller' }))
const untrustedContent = (...of: Parameters<typeof untrustedSources>) => listed(untrustedSources(...of))
const claude = { webTool: 'web search of claude' }

/** Makes a project whose reflog starts with this event, some days ago. */
async function cloned(root: string, event: string, days: number): Promise<string> {
  await mkdir(path.join(root, '.git/logs'), { recursive: true })
  const line = (seconds: number, what: string): string =>
    `${'0'.repeat(40)} ${'1'.repeat(40)} A B <a@b.example> ${seconds} +0200\t${what}\n`
  await writeFile(path.join(root, '.git/logs/HEAD'), line(now / 1000 - days * 86_400, event) + line(now / 1000, 'commit: later'))
  return root
}

it('is what the user names, the tools of the agent, presets, hosts and MCP servers, once each', () => {
  const wish = request({ allow: ['api.example', 'api.example:80'], ask: ['*.wiki.example'], presets: ['github', 'npm'] })
  expect(untrustedContent(wish, claude, { now, servers: ['jira'] }, ['an issue'])).toEqual([
    'an issue',
    'web search of claude',
    'preset github',
    'preset npm',
    'api.example',
    '*.wiki.example',
    'MCP server jira',
  ])
  expect(untrustedContent(request({}), {}, { now, servers: [] })).toEqual([])
  // The tool runs at the vendor, whose API the cell still reaches.
  expect(untrustedContent(request({}, true), claude, { now, servers: [] })).toEqual(['web search of claude'])
})

it('is every host that an option opens, and repositories', () => {
  const inspected = { inspect: ['api.example'], rules: ['deny POST wiki.example/**', 'deny POST own.example/**'] }
  const adapter = { hosts: [{ host: 'own.example', ports: [443], internal: false, source: 'claude' }] }
  const of = (isPrivate: boolean) => untrustedContent(request(inspected, isPrivate), adapter, { now, servers: [] })
  expect(of(false)).toEqual(['api.example', 'wiki.example'])
  expect(of(true)).toEqual([])
  const wish = readRequest({ agent: 'claude' }, { repos: ['git.example/o/r=write', 'forge.example'] }, (key) => ({
    place: key,
    from: 'caller',
  }))
  expect(untrustedContent(wish, {}, { now, servers: [] })).toEqual(['repository git.example/o/r', 'repository forge.example/*'])
})

it.each([
  ['clone: from https://me:t0ken@git.example/o/r.git', 0.1, ['a clone of https://git.example/o/r.git (today)']],
  ['clone: from git@git.example:o/r.git', 3, ['a clone of git@git.example:o/r.git (3 d ago)']],
  ['clone: from https://git.example/o/r.git', 7, []],
  ['clone: from https://git.example/o/r.git', -1, []],
  ['commit (initial): start', 0, []],
])('is a young clone: %s, %f days ago', async (event, days, expected) => {
  await using root = await temporary()
  const project = await cloned(root.path, event, days)
  expect(untrustedContent(request({}), {}, { project, now, servers: [] })).toEqual(expected)
})

it('needs no repository', async () => {
  await using root = await temporary()
  expect(untrustedContent(request({}), {}, { project: root.path, now, servers: [] })).toEqual([])
})
