import { once } from 'node:events'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { codeOf } from '../../base/errors.ts'
import { hostProgram } from '../../system/host-program.ts'
import { spawn } from '../../system/start-program.ts'
import { type CellWishes, collect, type ProbeBench } from './bench.ts'

/** A program that runs until it is asked to end. It prints a line when it is ready, and ends when its standard input is closed. */
export interface Held<Ended> {
  /** The first line of the program's output. */
  readonly line: string
  /** Asks the program to end, and waits until it has ended. */
  end(): Promise<Ended>
}

/** Starts a cell that waits. @throws Error if the cell ends before its first line */
export async function holdCell(
  bench: ProbeBench,
  command: readonly string[],
  wishes: CellWishes = {},
): Promise<Held<Awaited<ReturnType<typeof collect>>>> {
  const cell = await bench.start(command, wishes, { stdin: 'pipe' })
  const first = firstLine(cell.stdout)
  const done = collect(cell)
  const line = await Promise.race([
    first,
    done.then(({ stderr }) => Promise.reject(new Error(`a cell that should wait ended: ${stderr.trim().slice(-300)}`))),
  ])
  return {
    line,
    end: () => {
      cell.stdin?.end()
      return done
    },
  }
}

/** Starts a host program that waits. Null if there is no such program. @throws Error if the program ends before its first line */
export async function holdProcess(
  program: string,
  args: readonly string[],
): Promise<(Held<number | null> & { readonly pid: number }) | null> {
  const file = path.isAbsolute(program) ? program : hostProgram(program)
  if (file === null) return null
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  exited.catch(() => undefined)
  child.stdin.on('error', () => undefined)
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-300)
  })
  try {
    const line = await Promise.race([
      firstLine(child.stdout),
      exited.then((code) => Promise.reject(new Error(`${program} ended with ${code}: ${said.trim()}`))),
    ])
    return {
      line,
      pid: child.pid ?? 0,
      end: () => {
        child.stdin.end()
        return exited
      },
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      if (text.includes('\n')) return
      text += String(chunk)
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
  })
}
