import { afterEach, beforeEach, expect, it } from 'vitest'
import { cellInstructions } from '../../src/adapters/own-instructions.ts'
import { makeStage, paddock, type Stage } from '../support/cli.ts'
import { commandsThenText } from '../support/model-servers/script.ts'
import { type ModelServer, startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, type RealAgent, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

let stage: Stage
let server: ModelServer
beforeEach(async () => {
  stage = makeStage('user')
  server = await startModelServer({ script: commandsThenText(['cat /run/paddock/README.md > READ.md'], 'Done.') })
})
afterEach(async () => {
  await server.close()
  stage[Symbol.dispose]()
})

/** Runs an agent, and returns the bodies of its requests for answers. */
async function asked(agent: RealAgent, options: readonly string[], args: readonly string[] = []): Promise<string> {
  const endpoint = ['--base-url', `http://${modelHost}:${server.port}`, '--allow', pin(server.port), '--model', agent.model]
  const run = ['run', ...endpoint, '--env', `${agent.key}=placeholder`, ...options, '--prompt', 'Read it.', agent.name, ...args]
  const from = server.requests.length
  const ran = await paddock(stage, run, { env: withRealClis(stage.env, 'user') })
  expect(ran.code, ran.stderr).toBe(0)
  return server.requests
    .slice(from)
    .filter((each) => each.conversation !== null)
    .map((each) => each.body)
    .join('\n')
}

it.each(realAgents)('6: $name has the text about its cell in its own instructions, and not with --no-brief', async (agent) => {
  expect(await asked(agent, [])).toContain(cellInstructions)
  expect(stage.read('READ.md')).toContain(`${modelHost}:${server.port}`)
  expect(await asked(agent, ['--no-brief'])).not.toContain('/run/paddock/denied.log')
})

it('6: instructions of the user for claude and codex take precedence', async () => {
  const [claude, codex] = realAgents as [RealAgent, RealAgent]
  const ofClaude = await asked(claude, [], ['--append-system-prompt', 'Speak like the user wants.'])
  expect(ofClaude).toContain('Speak like the user wants.')
  expect(ofClaude).not.toContain(cellInstructions)
  const ofCodex = await asked(codex, [], ['-c', 'developer_instructions="Speak like the user wants."'])
  expect(ofCodex).toContain('Speak like the user wants.')
})
