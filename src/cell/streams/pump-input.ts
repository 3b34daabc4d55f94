import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { CellIo } from '../cell.ts'

/** Returns the caller's descriptor if that is the standard input, or null. */
export function inputDescriptorOf({ stdin }: Pick<CellIo, 'stdin'>): number | null {
  return typeof stdin === 'object' && 'descriptor' in stdin ? stdin.descriptor : null
}

/** Copies a pipe or socket of the caller into the standard input of a cell until either ends. Closes the descriptor. */
export function pumpInput(descriptor: number, stdin: Writable, exited: Promise<unknown>): void {
  const source = new Socket({ fd: descriptor, readable: true, writable: false })
  const end = (): void => void source.destroy()
  source.on('error', () => stdin.end())
  stdin.on('error', end)
  stdin.on('close', end)
  exited.then(end, end)
  source.pipe(stdin)
}
