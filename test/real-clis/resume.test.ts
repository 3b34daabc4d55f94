import { describe, expect, it } from 'vitest'
import { everyone, makeStage } from '../support/cli.ts'
import { commandsThenText } from '../support/model-servers/script.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'
import { Screen } from './screen.ts'

const controlC = '\u0003'

/** The text that each CLI shows when it accepts a prompt, and the dialog that may come first, with its answer. */
const terminals: Readonly<Record<string, { readonly ready: RegExp; readonly dialog?: readonly [RegExp, string] }>> = {
  claude: { ready: /bypass permissions/ },
  codex: { ready: /Ask Codex/, dialog: [/Use ?existing ?model/, '2'] },
  gemini: { ready: /Type your message/ },
  opencode: { ready: /Ask anything/ },
}

describe.each(everyone)('7: a conversation that ended in a terminal goes on in a cell by the last line of the run, as %s', (who) => {
  it.each(realAgents)('$name', async (agent) => {
    using stage = makeStage(who)
    const server = await startModelServer({ script: commandsThenText([], 'It-is-written.') })
    // With an API key, claude would first ask whether it may use it.
    const key = agent.name === 'claude' ? 'ANTHROPIC_AUTH_TOKEN' : agent.key
    const endpoint = ['--base-url', `http://${modelHost}:${server.port}`, '--allow', pin(server.port), '--env', `${key}=placeholder`]
    const options = ['run', ...endpoint, '--model', agent.model]
    const env = withRealClis(stage.env, who)
    try {
      let args: readonly string[]
      {
        using screen = new Screen(stage, [...options, agent.name], env)
        const { ready, dialog } = terminals[agent.name] ?? { ready: /./ }
        if (dialog !== undefined) {
          await screen.shows(dialog[0])
          screen.type(dialog[1])
          await new Promise((resolve) => setTimeout(resolve, 500))
          screen.type('\r')
        }
        await screen.shows(ready)
        screen.forget()
        screen.type('hello')
        await screen.shows(/hello/)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        screen.type('\r')
        await screen.shows(/It-is-written\./)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        // One more key press would end its cell while it is writing.
        if (agent.name === 'claude') await screen.pressTwice(controlC, /again to exit/)
        for (let tries = 0; tries < 10 && !screen.ended; tries++) {
          screen.type(controlC)
          await Promise.race([screen.exit, new Promise((resolve) => setTimeout(resolve, 1_000))])
        }
        const line = new RegExp(`continue with: paddock run .*--env ${key} .* ${agent.name} ([^(]+) \\(first export`, 's').exec(screen.text)
        expect(line, screen.text).not.toBe(null)
        args = line?.[1]?.split(/\s+/) ?? []
      }
      using again = new Screen(stage, [...options, agent.name, ...args], env)
      await again.shows(/It-is-written\./)
    } finally {
      await server.close()
    }
  })
})
