import { expect, test } from 'vitest'
import { openEditor } from '../support/acp-client.ts'
import { everyone, makeStage } from '../support/cli.ts'
import type { Script } from '../support/model-servers/script.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

const [claude] = realAgents

/** Returns a script that does what the prompts ask and says how many of them it received. It never answers one of them. */
function scriptOf(waits: () => void): Script {
  return async ({ userTexts, toolResults, tools }) => {
    const prompts = userTexts.filter((each) => each.includes('PLEASE'))
    if (tools.length === 0) return { say: 'Nothing to add.' }
    if (prompts.at(-1)?.includes('WAIT') === true) {
      waits()
      await new Promise(() => {})
    }
    if (toolResults.length < prompts.length) return { run: `echo ${prompts.length} >> count.txt` }
    return { say: `I know ${prompts.length} of them.` }
  }
}

test.each(everyone)(
  'an editor drives claude: text and tool calls are streamed, a conversation continues, a turn is cancelled, as %s',
  async (who) => {
    using stage = makeStage(who)
    const waits = Promise.withResolvers<void>()
    const server = await startModelServer({ script: scriptOf(waits.resolve) })
    const endpoint = [
      '--base-url',
      `http://${modelHost}:${server.port}`,
      '--allow',
      pin(server.port),
      '--env',
      `${claude?.key}=placeholder`,
    ]
    const editor = await openEditor(stage, [...endpoint, '--model', claude?.model ?? '', 'claude'], withRealClis(stage.env, who))
    const session = await editor.open(stage.project)
    expect(await editor.prompt(session, 'PLEASE count.')).toBe('end_turn')
    expect(editor.text()).toContain('I know 1 of them.')
    expect(editor.updates).toMatchObject([
      { sessionUpdate: 'tool_call', title: 'Bash', status: 'in_progress', rawInput: { command: 'echo 1 >> count.txt' } },
      { sessionUpdate: 'tool_call_update', status: 'completed' },
      { sessionUpdate: 'agent_message_chunk' },
    ])
    expect(await editor.prompt(session, 'PLEASE count again.')).toBe('end_turn')
    expect(editor.text()).toContain('I know 2 of them.')
    expect(stage.read('count.txt')).toBe('1\n2\n')

    const other = await editor.open(stage.project)
    const turn = editor.prompt(other, 'PLEASE WAIT.')
    await waits.promise
    await editor.cancel(other)
    expect(await turn).toBe('cancelled')
    expect(await editor.close()).toBe(0)
    await server.close()
  },
)
