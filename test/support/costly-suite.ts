import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const agent = fileURLToPath(new URL('../fixtures/acp-agent.mjs', import.meta.url))

/** Writes a suite of three briefs, whose participant costs 0.25 dollars each time. One contest runs at a time. */
export function writeCostlySuite(suite: string): void {
  for (const each of ['one', 'two', 'three']) {
    mkdirSync(path.join(suite, 'briefs', each), { recursive: true })
    writeFileSync(path.join(suite, 'briefs', each, 'BRIEF.md'), 'Write answer.txt.\n')
  }
  mkdirSync(path.join(suite, 'agent'))
  cpSync(agent, path.join(suite, 'agent/acp-agent.mjs'))
  const participant = { name: 'costly', agent: 'acp', family: 'none', command: ['node', '/agent/acp-agent.mjs', 'good'], files: 'agent' }
  const contest = { participants: [participant], ranking: 'checks', checks: [{ name: 'there', command: ['test', '-f', 'answer.txt'] }] }
  const config = { schemaVersion: 1, name: 'costly-suite', briefs: ['briefs/*'], parallel: 1, contest }
  writeFileSync(path.join(suite, 'suite.yaml'), JSON.stringify(config))
}
