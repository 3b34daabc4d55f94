import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { makeStage, paddock, type Ran, type Stage, type Who } from './cli.ts'

export const passphrase = 'correct horse battery staple'
export const canary = 'canary-value-41c7e2'

/** Helpers for tests of the vault: a stage per test, and commands whose output never contains stored values. */
export interface VaultStage {
  /** The stage of the current test. */
  readonly stage: Stage
  readonly file: string
  /** Everything that was printed. */
  readonly said: string[]
  vault(args: readonly string[], input?: string, byDescriptor?: boolean): Promise<Ran>
  /** Creates a vault, unlocked by default. */
  made(unlock?: boolean): Promise<void>
  names(): Promise<string[]>
}

/** Returns the helpers. Call it in a `describe`, because it registers hooks before and after each test. */
export function vaultStage(who: Who): VaultStage {
  let current: { stage: Stage; file: string } | null = null
  const everything: string[] = []
  const at = (): { stage: Stage; file: string } => {
    if (current === null) throw new Error('no test runs')
    return current
  }
  beforeEach(() => {
    const stage = makeStage(who)
    current = { stage, file: path.join(stage.root, 'paddock/config/vault/vault.age') }
    writeFileSync(path.join(stage.root, 'pass'), `${passphrase}\n`)
    stage.own()
    everything.length = 0
  })
  afterEach(async () => {
    const { stage } = at()
    await paddock(stage, ['vault', 'lock'])
    stage[Symbol.dispose]()
    // Neither stored values nor the passphrase may ever be printed.
    expect(everything.join('\n')).not.toContain(canary)
    expect(everything.join('\n')).not.toContain(passphrase)
  })
  const vault: VaultStage['vault'] = async (args, input = '', byDescriptor = false) => {
    const { stage } = at()
    const shell = byDescriptor ? { shell: `exec 3<${path.join(stage.root, 'pass')};` } : {}
    const ran = await paddock(stage, ['vault', ...args, ...(byDescriptor ? ['--passphrase-fd', '3'] : [])], { input, ...shell })
    everything.push(ran.stdout, ran.stderr)
    return ran
  }
  return {
    get stage() {
      return at().stage
    },
    get file() {
      return at().file
    },
    said: everything,
    vault,
    made: async (unlock = true) => {
      expect((await vault(['init'], `${passphrase}\n`)).code).toBe(0)
      if (unlock) expect((await vault(['unlock'], `${passphrase}\n`)).code).toBe(0)
    },
    names: async () =>
      (JSON.parse((await vault(['list', '--json'])).stdout) as { entries: { name: string }[] }).entries.map((each) => each.name),
  }
}
