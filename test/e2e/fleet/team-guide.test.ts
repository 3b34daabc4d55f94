import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type ConsoleBlock, consoleBlocks } from '../../docs/console-block.ts'
import { commandsOf } from '../../docs/console-command.ts'
import { makeExampleStage } from '../../docs/example-stage.ts'
import { printsAsPromised } from '../../docs/promised-output.ts'

const page = 'docs/guide/fleet.md'
const text = readFileSync(fileURLToPath(new URL(`../../../${page}`, import.meta.url)), 'utf8')
const section = /^<!-- team: begin -->\n([\s\S]*?)^<!-- team: end -->$/m.exec(text)?.[1] ?? ''
/** Each file starts with a comment that names it. */
const files = [...section.matchAll(/^```yaml\n# (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', content = '']) => ({ name, content }))
const commands = consoleBlocks(section).blocks.flatMap((block: ConsoleBlock) => commandsOf(block))

test('the small team of the guide works as the guide shows it', async () => {
  expect(files.map(({ name }) => path.basename(name))).toEqual(['config.yaml', 'writer.yaml', 'reviewer.yaml', 'checker.yaml'])
  using stage = await makeExampleStage()
  await stage.prepare(files.map(({ name, content }) => `mkdir -p "$(dirname ${name})"\ncat > ${name} <<'END'\n${content}END`).join('\n'))
  // The server runs as if in another terminal, and ends with the last command.
  const [, ...ran] = await stage.run([{ text: serve, promised: [] }, ...commands, { text: end, promised: [] }])
  for (const [index, { promised }] of commands.entries()) {
    const { text: command, code, printed } = ran[index] ?? { text: '', code: null, printed: [] }
    if (promised.length === 0) expect({ command, code, printed }).toEqual({ command, code: 0, printed })
    else if (!printsAsPromised(promised, printed)) expect({ command, printed }).toEqual({ command, printed: promised })
  }
})

const serve = `paddock serve --listen 127.0.0.1:0 --ready-file ~/ready.json > ~/serve.log 2>&1 &
server=$!; while [ ! -e ~/ready.json ] && kill -0 $server; do sleep 0.05; done`
const end = `kill $server; wait $server
for each in ~/.local/share/paddock/fleet/agents/*/host/host.json; do kill "$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' "$each")"; done`
