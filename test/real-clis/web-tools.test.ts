import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeStage, paddock, type Stage } from '../support/cli.ts'
import { commandsThenText } from '../support/model-servers/script.ts'
import { type ModelServer, startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, type RealAgent, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

let stage: Stage
let server: ModelServer
beforeEach(async () => {
  stage = makeStage('user')
  server = await startModelServer({ script: commandsThenText([], 'Done.') })
})
afterEach(async () => {
  await server.close()
  stage[Symbol.dispose]()
})

/** The names of web tools in the requests of these CLIs. One lists them in a text, and offers them later. */
const webTools: Readonly<Record<string, RegExp>> = {
  claude: /Web(?:Search|Fetch)/,
  codex: /"type":"web_search/,
  gemini: /"name":"(?:google_web_search|web_fetch)"/,
  opencode: /"name":"web(?:fetch|search)"/,
}

/** Runs an agent. Returns the bodies of its requests for answers, and Paddock's first line. */
async function asked(agent: RealAgent, options: readonly string[]) {
  const endpoint = ['--base-url', `http://${modelHost}:${server.port}`, '--allow', pin(server.port), '--model', agent.model]
  const run = ['run', ...endpoint, '--env', `${agent.key}=placeholder`, ...options, '--prompt', 'Say done.', agent.name]
  const from = server.requests.length
  const ran = await paddock(stage, run, { env: withRealClis(stage.env, 'user') })
  expect(ran.code, ran.stderr).toBe(0)
  const bodies = server.requests.slice(from).map((each) => each.body)
  expect(bodies.length).toBeGreaterThan(0)
  return { bodies: bodies.join('\n'), line: ran.stderr.split('\n', 1)[0] ?? '' }
}

it.each(realAgents)('$name offers its model web tools, and with --no-web-tools none', async (agent) => {
  const names = webTools[agent.name] ?? /^/
  const usual = await asked(agent, [])
  expect(usual.bodies).toMatch(names)
  // The settings of a project do not bring them back.
  stage.put('opencode.json', JSON.stringify({ permission: { webfetch: 'allow', websearch: 'allow' }, tools: { webfetch: true } }))
  stage.put('.gemini/settings.json', JSON.stringify({ tools: { exclude: [], allowed: ['web_fetch', 'google_web_search'] } }))
  stage.put('.claude/settings.json', JSON.stringify({ permissions: { allow: ['WebSearch', 'WebFetch'] } }))
  stage.put('.codex/config.toml', 'web_search = "live"\n[tools]\nweb_search = true\n')
  stage.own()
  const without = await asked(agent, ['--no-web-tools'])
  expect(without.bodies).not.toMatch(names)
  expect(without.line).not.toContain('web search of')
})

it.each(realAgents.filter(({ name }) => name === 'claude' || name === 'codex'))(
  '$name has no web tools with --as-is and --no-web-tools',
  async (agent) => {
    const args: Readonly<Record<string, readonly string[]>> = {
      claude: ['-p', '--dangerously-skip-permissions', '--model', agent.model, 'Say done.'],
      codex: ['exec', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', '-m', agent.model, 'Say done.'],
    }
    const endpoint = ['--base-url', `http://${modelHost}:${server.port}`, '--allow', pin(server.port)]
    const run = [
      'run',
      '--as-is',
      '--no-web-tools',
      ...endpoint,
      '--env',
      `${agent.key}=placeholder`,
      agent.name,
      ...(args[agent.name] ?? []),
    ]
    const ran = await paddock(stage, run, { env: withRealClis(stage.env, 'user') })
    expect(ran.code, ran.stderr).toBe(0)
    const bodies = server.requests.map((each) => each.body).join('\n')
    expect(bodies).toContain('Say done.')
    expect(bodies).not.toMatch(webTools[agent.name] ?? /^/)
  },
)
