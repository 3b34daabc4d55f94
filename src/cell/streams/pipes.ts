import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs'
import { Socket } from 'node:net'
import path from 'node:path'
import { run } from '../../system/start-program.ts'

/** A pipe to or from a cell: the host's end as a stream, and the cell's end as a descriptor to pass on and close. */
export interface HostPipe {
  readonly stream: Socket
  readonly cellEnd: number
}

/**
 * Creates real pipes (an unlinked FIFO), because Node's `pipe` for children is a socket pair, on which opening
 * /dev/stdout or /dev/stdin fails (unix(7)). Directions such as `to-cell` are from the host's view.
 */
export async function makePipes(mkfifo: string, directory: string, directions: readonly ('to-cell' | 'from-cell')[]): Promise<HostPipe[]> {
  const names = directions.map((_, index) => path.join(directory, `pipe-${index}`))
  await run(mkfifo, ['-m', '666', ...names])
  return directions.map((direction, index) => {
    const name = names[index] ?? ''
    // Opened for reading and writing first, so that neither of the one-way opens waits for the other (fifo(7)).
    const both = openSync(name, constants.O_RDWR)
    const reading = openSync(name, constants.O_RDONLY | (direction === 'from-cell' ? constants.O_NONBLOCK : 0))
    const writing = openSync(name, constants.O_WRONLY | (direction === 'to-cell' ? constants.O_NONBLOCK : 0))
    closeSync(both)
    unlinkSync(name)
    return direction === 'from-cell'
      ? { stream: new Socket({ fd: reading, readable: true, writable: false }), cellEnd: writing }
      : { stream: new Socket({ fd: writing, readable: false, writable: true }), cellEnd: reading }
  })
}

/**
 * Opens the host's end of a pipe that a process of a cell created for one of its descriptors, while it waits (proc(5), /proc/PID/fd).
 * Throws the system's error. Refuses anything other than a pipe.
 */
export function openPipeOf(pid: number, descriptor: number, direction: 'to-cell' | 'from-cell'): Socket {
  const name = `/proc/${pid}/fd/${descriptor}`
  if (!readlinkSync(name).startsWith('pipe:')) throw new Error(`descriptor ${descriptor} of the cell is not a pipe`)
  const fd = openSync(name, constants.O_NONBLOCK | (direction === 'from-cell' ? constants.O_RDONLY : constants.O_WRONLY))
  return new Socket({ fd, readable: direction === 'from-cell', writable: direction === 'to-cell' })
}

/**
 * Returns true if this process may access processes of other users: CAP_SYS_PTRACE, which root may lack in a container (capabilities(7)).
 */
export function seesForeignDescriptors(): boolean {
  const effective = /^CapEff:\s+([0-9a-f]+)$/m.exec(readOr('/proc/self/status'))?.[1] ?? '0'
  return (BigInt(`0x${effective}`) & (1n << 19n)) !== 0n
}

/**
 * Returns descriptors of this process that a child would inherit in addition to those passed to it: those that Paddock's own parent left
 * open, and terminals of other cells. A spawn must replace each one (Node's `ignore` does not, above 2).
 */
export function leakingDescriptors(): readonly number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name)
    if (fd < 3) continue
    const flags = /^flags:\s+([0-7]+)/m.exec(readOr(`/proc/self/fdinfo/${name}`))?.[1]
    if (flags !== undefined && (Number.parseInt(flags, 8) & 0o2000000) === 0) found.push(fd)
  }
  return found
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
