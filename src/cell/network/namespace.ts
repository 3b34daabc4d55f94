import type { ChildProcess } from 'node:child_process'
import type { Socket as DatagramSocket } from 'node:dgram'
import type { Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { PaddockError } from '../../base/errors.ts'
import type { EgressGateway, ListenerWish } from '../../egress/cell-gateway.ts'
import { requireHostProgram } from '../../system/host-program.ts'
import { spawn } from '../../system/start-program.ts'

const holder = fileURLToPath(new URL('./holder.pl', import.meta.url))

/** A cell's network namespace, with everything that the host needs to enter it. */
export interface CellNetwork {
  /** The PID of a process in the network namespace. */
  readonly network: number
  /** The PID of a process in the user namespace that owns it. Absent: the user namespace of Paddock owns it. */
  readonly user?: number
  /** True if Paddock runs as root and can enter the network without its user namespace. */
  readonly asRoot: boolean
  /** The host's PATH, which is searched for system programs. */
  readonly searchPath: string
  /** The path of Perl. */
  readonly perl: string
}

/**
 * Returns the arguments that run a program in the network of a cell. Root enters only the network namespace; other users also enter the
 * user namespace that owns it.
 */
export function enterNetwork(cell: CellNetwork): readonly string[] {
  const nsenter = requireHostProgram('nsenter', cell.searchPath, 'to enter a cell’s network')
  const user = userToEnter(cell)
  return [nsenter, ...(user === null ? [] : [`--user=${user}`, '--preserve-credentials']), `--net=${networkFile(cell)}`, '--']
}

/** Returns the file of the network namespace (proc(5), /proc/PID/ns). */
export function networkFile({ network }: Pick<CellNetwork, 'network'>): string {
  return `/proc/${network}/ns/net`
}

/** Returns the file of the user namespace; null if Paddock's own owns the network. */
export function userFile({ user }: Pick<CellNetwork, 'user'>): string | null {
  return user === undefined ? null : `/proc/${user}/ns/user`
}

function userToEnter(cell: CellNetwork): string | null {
  return cell.asRoot ? null : userFile(cell)
}

function startHolder(network: CellNetwork, wishes: readonly ListenerWish[]): ChildProcess {
  const listeners = wishes.flatMap((each) => [each.kind === 'dns-udp' ? 'udp' : 'tcp', each.address, String(each.port)])
  return spawn(network.perl, [holder, userToEnter(network) ?? '-', networkFile(network), ...listeners], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {},
  })
}

/**
 * Opens the listeners of a gateway inside a cell's network, for the gateway to serve here.
 * @throws PaddockError `CELL_FAILED` with the holder's output
 */
export function openListeners(network: CellNetwork, gateway: Pick<EgressGateway, 'wishes' | 'serve'>): Promise<void> {
  const wishes = gateway.wishes()
  const child = startHolder(network, wishes)
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (said.length < 4096) said += chunk.toString('utf8')
  })
  return new Promise((resolve, reject) => {
    let served = 0
    let finished = false
    child.on('message', (message: { readonly index?: number; readonly done?: boolean }, handle) => {
      const wish = wishes[message.index ?? -1]
      if (wish !== undefined && handle !== undefined) {
        served++
        gateway.serve(wish, handle as Server | DatagramSocket)
      }
      if (!message.done) return
      finished = served === wishes.length
      child.send('ok', () => {
        if (child.connected) child.disconnect()
      })
      if (finished) resolve()
    })
    const fail = (cause: unknown): void => {
      if (!finished)
        reject(new PaddockError('CELL_FAILED', `The cell's network could not be set up: ${said.trim() || String(cause)}`, { cause }))
    }
    child.once('error', fail)
    child.once('exit', (code, name) => fail(`the holder ended with ${name ?? code}`))
  })
}
