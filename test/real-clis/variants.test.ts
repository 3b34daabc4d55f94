import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { makeStage, paddock } from '../support/cli.ts'
import type { Script } from '../support/model-servers/script.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

const skill = '---\nname: tidy-tables\ndescription: Aligns the columns of tables in Markdown, the blue way.\n---\nRun scripts/align.sh.\n'

/** Settings of each CLI, and the tool that it then does not offer its model. */
const settings: Readonly<Record<string, { readonly config: object; readonly without: string }>> = {
  // Claude Code otherwise offers tools of servers only after a search for them.
  claude: { config: { env: { ENABLE_TOOL_SEARCH: 'false' } }, without: 'ToolSearch' },
  codex: { config: { web_search: 'disabled' }, without: 'web_search' },
  gemini: { config: { tools: { exclude: ['google_web_search'] } }, without: 'google_web_search' },
  opencode: { config: { agent: { build: { permission: { webfetch: 'deny' } } } }, without: 'webfetch' },
}

/** Writes an answer, then reads a note with the tool of the server if that is offered. */
const script: Script = ({ toolResults, userTexts, tools }) => {
  if (tools.length === 0) return { say: 'A title.' }
  const who = userTexts.join('\n').includes('Only for the variant.') ? 'variant' : 'base'
  if (toolResults.length === 0) return { run: `echo ${who} > answer.txt` }
  // Codex searches for tools of servers, and finds this one by its name.
  const note =
    tools.find((each) => each.includes('read_note')) ??
    (tools.includes('tool_search') && who === 'variant' ? 'mcp__notes/read_note' : undefined)
  return toolResults.length === 1 && note !== undefined ? { call: note, input: { topic: 'tables' } } : { say: 'Done.' }
}

it.each(realAgents)('$name has the skill, the instructions, the prompt and the server of its variant only', async (agent) => {
  using stage = makeStage('user')
  const server = await startModelServer({ script })
  await using servers = new AsyncDisposableStack()
  servers.defer(() => server.close())
  const contest = path.join(stage.project, 'contest')
  const write = (file: string, text: string, mode = 0o644): void => {
    mkdirSync(path.dirname(path.join(contest, file)), { recursive: true })
    writeFileSync(path.join(contest, file), text, { mode })
  }
  const { name, model, key } = agent
  const endpoint = { baseUrl: `http://${modelHost}:${server.port}`, egress: { policy: 'allowlist', allow: [pin(server.port)] } }
  const mcp = { notes: { command: ['perl', '/agent/notes-server.pl'], env: { NOTE: 'forty-two' } } }
  const { config, without } = settings[name] ?? { config: {}, without: '' }
  const full = { skills: ['skills/tidy-tables'], instructions: 'rules.md', prompt: 'more.md', mcp, files: 'servers', config }
  const participants = [{ name, agent: name, model, env: [`${key}=placeholder`], ...endpoint, variants: { base: {}, full } }]
  const checks = [{ name: 'there', command: 'test -s answer.txt' }]
  write('contest.yaml', stringify({ schemaVersion: 1, name: 'variants', participants, checks, parallel: 1 }))
  write('BRIEF.md', 'Write answer.txt.\n')
  write('skills/tidy-tables/SKILL.md', skill)
  write('skills/tidy-tables/scripts/align.sh', '#!/bin/sh\necho aligned\n', 0o755)
  mkdirSync(path.join(contest, 'servers'))
  copyFileSync(path.join(import.meta.dirname, 'notes-server.pl'), path.join(contest, 'servers/notes-server.pl'))
  write('rules.md', 'Always count in hexadecimal.\n')
  write('more.md', 'Only for the variant.\n')
  stage.own()
  const env = withRealClis(stage.env, 'user')
  await paddock(stage, ['contest', 'trust', contest], { env })
  const ran = await paddock(stage, ['contest', 'run', contest], { env })
  expect(ran.code, ran.stderr).toBe(0)
  const requests = server.requests.filter(({ conversation }) => conversation !== null && conversation.tools.length > 0)
  const [base, variant] = [false, true].map((isVariant) =>
    requests.filter(({ body }) => body.includes('Only for the variant.') === isVariant),
  )
  const text = (some = requests): string => some.map(({ body }) => body).join('\n')
  const tools = (some = requests): readonly string[] => some.flatMap(({ conversation }) => conversation?.tools ?? [])
  const parts = [
    'tidy-tables',
    'Aligns the columns of tables in Markdown, the blue way.',
    'Always count in hexadecimal.',
    ...(name === 'codex' ? [] : ['Reads the note on a topic.']),
    'The note on tables says forty-two.',
  ]
  for (const part of parts) {
    expect.soft(text(variant).includes(part), part).toBe(true)
    expect.soft(text(base).includes(part), part).toBe(false)
  }
  expect(text(base)).toContain('Write answer.txt.')
  expect(tools(base)).toContain(without)
  expect(tools(variant)).not.toContain(without)
})
