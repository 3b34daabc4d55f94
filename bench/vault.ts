import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Paths } from '../src/base/paths.ts'
import { connectAgent } from '../src/credentials/vault/agent-client.ts'
import { type Figure, median, time } from './measure.ts'

const passphrase = 'a passphrase of the bench\n'
const bin = fileURLToPath(new URL('../bin/paddock.mjs', import.meta.url))

/** Measures the time from the passphrase to the end of `paddock vault unlock`, and from another process's request to the value. */
export async function vaultTimes(env: Record<string, string>, paths: Paths): Promise<Figure[]> {
  const vault = async (args: readonly string[], input = ''): Promise<void> => {
    const child = spawn(process.execPath, [bin, 'vault', ...args], { env, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin?.end(input)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`vault ${args[0]}: ${code}`)
  }
  await vault(['init'], passphrase)
  const unlocks: number[] = []
  for (let round = 0; round < 7; round++) {
    if (round > 0) await vault(['lock'])
    unlocks.push(await time(() => vault(['unlock'], passphrase)))
  }
  await vault(['set', 'BENCH', '--host', 'bench.test'], 'x'.repeat(4_096))
  const reads: number[] = []
  for (let round = 0; round < 2_000; round++) {
    // Connecting is included, because each command does so once.
    const read = async (): Promise<void> => {
      using agent = await connectAgent(paths.state)
      if (agent === null) throw new Error('the vault is not unlocked')
      using secret = (await agent.get('BENCH')).secret
      if (secret.length !== 4_096) throw new Error('not what was stored')
    }
    const took = await time(read)
    if (round >= 200) reads.push(took)
  }
  await vault(['lock'])
  return [
    {
      name: 'vault unlock, the whole command',
      value: `${(median(unlocks) / 1_000).toFixed(2)} s`,
      bar: 'under 1.5 s',
      met: median(unlocks) < 1_500,
    },
    {
      name: 'a read of the unlocked vault by another process',
      value: `${median(reads).toFixed(2)} ms`,
      bar: 'under 1 ms',
      met: median(reads) < 1,
    },
  ]
}
