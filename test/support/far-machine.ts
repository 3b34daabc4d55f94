import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRoot, makeStage, type Ran, type RunOptions, type Stage, paddock as stagePaddock } from './cli.ts'
import { until } from './processes.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const sshd = '/usr/sbin/sshd'

/** Why there can be no other machine here; null: there can be one. */
export const noSshd: string | null = existsSync(sshd) ? null : 'OpenSSH has no server here'

/** A real SSH server on loopback, for the current user, whose sessions have a Paddock with directories of its own. */
export interface FarMachine extends AsyncDisposable {
  /** Home: a stage whose commands have a key for the other machine. */
  readonly stage: Stage
  /** The PADDOCK_HOME of the other machine. */
  readonly far: string
  readonly address: string
  readonly fingerprint: string
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Adds the machine as `far`, with the Paddock that it has, or by other options. */
  add(program?: readonly string[]): Promise<Ran>
  /** Gives the server another key. */
  changeKey(): Promise<void>
  /** Lets each session run this command instead. */
  force(command: string): Promise<void>
  /** The id of the server of cells there; undefined: it does not run. */
  server(): number | undefined
  /** Ids of the processes that carry connections there. */
  connections(): readonly number[]
}

/** Starts the server and an agent with the user's key. `programs`: directories that come first in the PATH of its sessions. */
export async function openFarMachine(programs: readonly string[] = []): Promise<FarMachine> {
  // A user without an entry in the user database has no SSH.
  const stage = makeStage(isRoot ? 'root' : 'user')
  const at = (name: string): string => path.join(stage.root, name)
  const [far, bin] = [at('far'), at('bin')]
  for (const each of [far, bin]) mkdirSync(each, { mode: 0o700 })
  // The server separates its privileges in this directory.
  if (isRoot) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  symlinkSync(path.join(checkout, 'bin/paddock.mjs'), path.join(bin, 'paddock'))
  const key = (name: string): void => {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)])
  }
  for (const each of ['host', 'other-host', 'user']) key(each)
  const port = await freePort()
  let server: ChildProcess | null = null
  const start = async (hostKey: string, more = ''): Promise<void> => {
    if (server !== null) {
      server.kill()
      await once(server, 'exit')
    }
    writeFileSync(
      at('sshd_config'),
      `Port ${port}
ListenAddress 127.0.0.1
HostKey ${at(hostKey)}
PidFile none
AuthorizedKeysFile ${at('user.pub')}
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
SetEnv PADDOCK_HOME=${far} PATH=${[bin, ...programs].join(':')}:${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin
${more}
`,
    )
    server = spawn(sshd, ['-D', '-f', at('sshd_config'), '-E', at('sshd.log')], { stdio: 'ignore' })
    await until(() => existsSync(at('sshd.log')) && readFileSync(at('sshd.log'), 'utf8').split('listening on').length > starts + 1)
    starts++
  }
  let starts = 0
  await start('host')
  const agent = spawn('ssh-agent', ['-D', '-a', at('agent')], { stdio: 'ignore' })
  await until(() => existsSync(at('agent')))
  chmodSync(at('user'), 0o600)
  const env = { ...stage.env, SSH_AUTH_SOCK: at('agent') }
  spawnSync('ssh-add', ['-q', at('user')], { env })
  const home: Stage = { ...stage, env }
  const { stdout } = spawnSync('ssh-keygen', ['-lf', at('host.pub')], { encoding: 'utf8' })
  const fingerprint = stdout.split(' ')[1] ?? ''
  const address = `127.0.0.1:${port}`
  const run = (args: readonly string[], options: RunOptions = {}): Promise<Ran> => stagePaddock(home, args, options)
  return {
    stage: home,
    far,
    address,
    fingerprint,
    run,
    add: (program = ['--program', 'paddock']) => run(['remote', 'add', 'far', address, '--fingerprint', fingerprint, ...program]),
    changeKey: () => start('other-host'),
    force: (command) => start('host', `ForceCommand ${command}`),
    server: () => servers()[0],
    connections: () => idsOf((words) => words.includes('HostKeyAlias=paddock-far') && words.includes(at('paddock'))),
    async [Symbol.asyncDispose]() {
      server?.kill()
      agent.kill()
      const ended = servers()
      for (const each of ended) process.kill(each)
      await until(() => ended.every((each) => !existsSync(`/proc/${each}`)))
      stage[Symbol.dispose]()
    },
  }

  function servers(): readonly number[] {
    return idsOf((words) => words.includes('\0cell-server\0--home\0') && words.includes(`PADDOCK_HOME=${far}\0`))
  }
}

/** Returns the ids of processes whose words and environment meet a condition. */
function idsOf(isWanted: (wordsAndEnvironment: string) => boolean): readonly number[] {
  return globSync('/proc/[0-9]*').flatMap((each) => {
    try {
      const text = `\0${readFileSync(`${each}/cmdline`, 'utf8')}${readFileSync(`${each}/environ`, 'utf8')}`
      return isWanted(text) ? [Number(path.basename(each))] : []
    } catch {
      return []
    }
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
