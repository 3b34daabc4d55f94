import type { Readable } from 'node:stream'

/** The status that bwrap writes to `--json-status-fd`: one JSON object per line. */
export interface BubblewrapStatus {
  /** The PID, on the host, of the init of the cell's PID namespace. Never settles if bwrap fails earlier. */
  readonly init: Promise<number>
  /** The command's exit code, 128 + n for signal n. Null if bwrap ended without reporting one. */
  readonly exitCode: Promise<number | null>
}

export function readStatus(stream: Readable): BubblewrapStatus {
  let told: (pid: number) => void = () => undefined
  const init = new Promise<number>((resolve) => {
    told = resolve
  })
  const exitCode = new Promise<number | null>((resolve) => {
    let code: number | null = null
    let rest = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const pid = /"child-pid":\s*(\d+)/.exec(line)?.[1]
        const exit = /"exit-code":\s*(\d+)/.exec(line)?.[1]
        if (pid !== undefined) told(Number(pid))
        if (exit !== undefined) code = Number(exit)
      }
    })
    stream.once('close', () => resolve(code))
    stream.once('error', () => resolve(code))
  })
  return { init, exitCode }
}
