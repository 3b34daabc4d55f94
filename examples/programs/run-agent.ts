// Runs an agent on a prompt and prints what it does:  node run-agent.ts AGENT PROMPT [DIRECTORY]
import { PaddockError, runAgent } from 'paddock'

const [agent = 'claude', prompt = 'Describe this project in three sentences.', cwd = '.'] = process.argv.slice(2)
const cancel = new AbortController()
process.once('SIGINT', () => cancel.abort())
try {
  await using run = await runAgent({ agent, prompt, cwd, timeout: 30 * 60_000, signal: cancel.signal })
  for await (const event of run) {
    if (event.type === 'text') console.log(event.text)
    else if (event.type === 'tool-call') console.log(`→ ${event.name}`)
  }
  const { outcome, usage, report } = await run.result
  console.log(outcome.message ?? 'It succeeded.', usage ?? '', report.egress.reached.map(({ host }) => host).join(' '))
  process.exitCode = outcome.message === null ? 0 : 1
} catch (error) {
  if (!(error instanceof PaddockError)) throw error
  console.error(error.code, error.message, error.hint ?? '')
  process.exitCode = error.exitCode
}
