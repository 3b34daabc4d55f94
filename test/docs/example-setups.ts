import { cpSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { ExampleStage } from './example-stage.ts'

/** The result of a setup for the block after it. */
export interface Prepared {
  /** The working directory of its commands, if not the project. */
  readonly cwd?: string
  /** The ports in the page, with the free ports that replace them. */
  readonly ports?: ReadonlyMap<string, string>
  /** The reason why the block cannot run on this machine. */
  readonly skip?: string
  readonly close?: () => void
}

type Setup = (on: ExampleStage, page: string) => Prepared | Promise<Prepared>

/** The setups for `<!-- setup: NAME -->`. */
export const setups: Readonly<Record<string, Setup>> = {
  /** Paddock's own checkout is the working directory. */
  checkout: (on) => ({ cwd: on.installation }),

  /** The `.paddock.yaml` shown on the page is in the project. */
  'the .paddock.yaml above': async (on, page) => {
    const yaml = /^```yaml\n(# \.paddock\.yaml[\s\S]*?)^```/m.exec(page)?.[1]
    if (yaml === undefined) throw new Error('the page shows no .paddock.yaml')
    await on.prepare(`cat > .paddock.yaml <<'END'\n${yaml}END`)
    return {}
  },

  /** That file is trusted. */
  'it is trusted': async (on) => {
    await on.prepare('paddock trust')
    return {}
  },

  /** Programs under the names of the agents that do a little work; claude and codex are logged in. */
  'scripted agents': async (on) => {
    await on.prepare(scriptedAgents)
    return {}
  },

  /** The examples are in the project, as in a clone of Paddock. */
  'the examples': (on) => {
    cpSync(path.join(import.meta.dirname, '../../examples'), path.join(on.project, 'examples'), { recursive: true })
    on.stage.own()
    return {}
  },

  'a TASK.md': async (on) => {
    await on.prepare("echo 'Make the tests pass.' > TASK.md")
    return {}
  },

  /** The values belong to nobody, and are in two parts so that no secret scanner reports this file. */
  'a .env with secrets': async (on) => {
    await on.prepare(`printf 'GH_TOKEN=ghp_%s\\nNPM_TOKEN=npm_%s\\n' ${'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2eF4hJ6 '.repeat(2)} > .env`)
    return {}
  },

  'files to mask': async (on) => {
    await on.prepare('echo A=1 > .env; mkdir -p config; echo 1 > config/keys')
    return {}
  },

  /** The volume that a login would have created. */
  'a volume claude/work': async (on) => {
    await on.prepare('umask 077; mkdir -p ~/.local/state/paddock/volumes/claude/work')
    return {}
  },

  /** A server on the host that answers 200, for the port 5433 of the page. */
  'a server at 127.0.0.1:5433': async () => {
    const server = createServer((_, response) => response.end('hello\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return { ports: new Map([['5433', String(port)]]), close: () => server.close() }
  },

  /** The page shows a machine that cannot create control groups. */
  'no control group': async (on) => {
    const [doctor] = await on.run([{ text: 'paddock doctor', promised: [] }])
    const memory = doctor?.printed.find((line) => /^\s+memory\b/.test(line)) ?? ''
    return memory.includes('memory watch') ? {} : { skip: `control groups work here: ${memory.trim()}` }
  },
}

const scriptedAgents = `
mkdir -p ~/.local/bin ~/.claude ~/.codex
chmod 700 ~/.claude ~/.codex
cat > ~/.local/bin/claude <<'END'
#!/bin/sh
cat > /dev/null
echo 'export const sum = (a, b) => a + b' > src/sum.js
echo '// 2 + 2 is 4' >> test/sum.test.js
echo 'what changed' > src/NOTES.txt
echo '# changed' >> Makefile
echo '{"type":"result","subtype":"success","is_error":false,"result":"done"}'
END
chmod 755 ~/.local/bin/claude
for each in codex gemini opencode; do cp ~/.local/bin/claude ~/.local/bin/$each; done
cat > ~/.claude/.credentials.json <<'END'
{"claudeAiOauth":{"accessToken":"sk-ant-oat01-of-no-account","refreshToken":"sk-ant-ort01-of-no-account","expiresAt":4102444800000,"scopes":["user:inference"],"subscriptionType":"max"}}
END
echo '{"auth_mode":"apikey","OPENAI_API_KEY":"sk-of-no-account"}' > ~/.codex/auth.json
chmod 600 ~/.claude/.credentials.json ~/.codex/auth.json
`
