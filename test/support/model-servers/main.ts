// Starts a local model by hand: node test/support/model-servers/main.ts PORT [COMMAND]
// It runs COMMAND once through the agent's shell tool, then ends with a text. `fail:auth` (or rate-limit, overloaded, hang-up) fails.
import { commandsThenText, type Failure, type Script } from './script.ts'
import { startModelServer } from './server.ts'

const [port, command = 'echo made-by-the-script > RESULT.md'] = process.argv.slice(2)
const failing = /^fail:(rate-limit|auth|overloaded|hang-up)$/.exec(command)
const script: Script = failing ? () => ({ fail: failing[1] as Failure }) : commandsThenText([command], 'Done: the command ran.')
const server = await startModelServer({ script, port: Number(port ?? 18080) })
console.log(`listening on ${server.url}`)
let shown = 0
setInterval(() => {
  for (const each of server.requests.slice(shown)) {
    const step = each.step === null ? '' : JSON.stringify(each.step)
    console.log(
      `${each.method} ${each.path} ${each.model ?? ''} auth=${each.authenticated} tools=${each.conversation?.tools.length ?? '-'} ${step}`,
    )
  }
  shown = server.requests.length
}, 200)
