import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Posture } from '../../base/posture.ts'
import type { Cell, StartCell } from '../../cell/cell.ts'
import type { MachineFacts } from '../../cell/plan/machine-facts.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import type { makeIssuer } from '../../egress/inspect/tls/authority.ts'
import type { AllowEntry, EgressPolicy } from '../../egress/policy/egress-policy.ts'
import type { Host } from '../../host.ts'
import { spawn } from '../../system/start-program.ts'
import { type InsideResult, type InsideScript, program, resultMark } from './inside.ts'
import type { ProbeNames } from './probe-names.ts'
import type { ProbeQuestions } from './probe-questions.ts'

export interface CellWishes extends Partial<Omit<CellSpec, 'command' | 'egress'>> {
  /** Default: the policy that is being verified, without entries. */
  readonly egress?: EgressPolicy
}

/** The dependencies of a bench. One bench serves a whole verification, so anything that a probe creates must have a unique name. */
export interface BenchDeps {
  readonly startCell: StartCell
  readonly machine: MachineFacts
  readonly egress: EgressPolicy['mode']
  readonly posture: Posture
  readonly names: ProbeNames
  /** Answers the questions of cells. */
  readonly questions: ProbeQuestions
  /** Signs the certificates of the probes' TLS servers. The gateway treats this issuer as a public root. */
  readonly internet: ReturnType<typeof makeIssuer>
  /** The log that records the cells of the probes. */
  readonly auditDirectory: string
  /** The command that starts a separate `paddock`. Absent if it cannot be started. */
  readonly paddock?: readonly string[]
  /** An existing directory of the host for files of probes. The caller removes it. */
  readonly directory: string
  readonly state: string
  readonly config: string
  readonly data: string
  /** A variable in the environment of Paddock itself. */
  readonly canary: { readonly name: string; readonly value: string }
  /** Quarantines the contents of a directory, as jobs do. */
  readonly quarantine: Host['quarantine']
  /** Returns the lines that Paddock prints when a cell has ended. */
  readonly endLines: (report: CellReport) => readonly string[]
}

const maxOutput = 1 << 20
const wallMs = 20_000

/** A server on the host that counts its connections. */
export interface HostServer extends Disposable {
  readonly port: number
  connections(): number
}

export class ProbeBench {
  readonly #deps: BenchDeps

  constructor(deps: BenchDeps) {
    this.#deps = deps
  }

  get machine(): MachineFacts {
    return this.#deps.machine
  }

  /** Starts cells as the jobs do, for probes that run a whole job. */
  get startCell(): StartCell {
    return this.#deps.startCell
  }

  /** The isolation level of the cells of this run. */
  get posture(): Posture {
    return this.#deps.posture
  }

  get egress(): EgressPolicy['mode'] {
    return this.#deps.egress
  }

  get names(): ProbeNames {
    return this.#deps.names
  }

  get questions(): ProbeQuestions {
    return this.#deps.questions
  }

  get internet(): BenchDeps['internet'] {
    return this.#deps.internet
  }

  get auditDirectory(): string {
    return this.#deps.auditDirectory
  }

  /** Returns a variable of Paddock's own environment, which must not be visible in cells. */
  get canary(): { readonly name: string; readonly value: string } {
    return this.#deps.canary
  }

  /** Returns Paddock's own directories. */
  get own(): { readonly state: string; readonly config: string; readonly data: string } {
    return this.#deps
  }

  readonly quarantine: BenchDeps['quarantine'] = (root) => this.#deps.quarantine(root)

  readonly endLines = (report: CellReport): readonly string[] => this.#deps.endLines(report)

  /** Returns a unique word for canaries and names. */
  secret(): string {
    return `canary-${randomBytes(12).toString('hex')}`
  }

  /** Creates a directory on the host, outside of any project. */
  async directory(): Promise<string> {
    return realpath(await mkdtemp(path.join(this.#deps.directory, 'd-')))
  }

  /** Creates a project with the file `README` and the given files by path. Its owner is the user that runs Paddock. */
  async project(files: Readonly<Record<string, string>> = {}): Promise<string> {
    const root = await this.directory()
    for (const [file, content] of Object.entries({ README: 'a project\n', ...files })) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true })
      await writeFile(path.join(root, file), content)
    }
    return root
  }

  /** Returns the policy that is being verified, with these entries if the policy has a gateway. */
  policy(entries: readonly (Partial<AllowEntry> & { readonly host: string })[] = []): EgressPolicy {
    const mode = this.#deps.egress
    const whole = entries.map((each) => ({ ports: [443], internal: false, source: 'user', ...each }))
    if (mode === 'off') return { mode }
    if (mode === 'public') return { mode, entries: whole, blocked: [] }
    return { mode, entries: whole }
  }

  /** Starts a cell as jobs do. The caller must read its output (`collect` does) and wait for it. */
  start(command: readonly string[], wishes: CellWishes = {}, io: Parameters<StartCell>[1] = { stdin: 'none' }): Promise<Cell> {
    const { egress, limits, ...more } = wishes
    const cwd = more.cwd ?? more.project ?? '/tmp'
    return this.#deps.startCell(
      {
        name: 'verify',
        command,
        cwd,
        files: [],
        home: { kind: 'temporary' },
        env: {},
        terminal: false,
        degraded: [],
        ...more,
        mounts: [{ source: process.execPath, access: 'ro', reason: 'agent' }, ...(more.mounts ?? [])],
        pathEntries: [path.dirname(process.execPath), ...(more.pathEntries ?? [])],
        egress: egress ?? this.policy(),
        limits: { timeout: wallMs, ...limits },
      },
      io,
    )
  }

  /**
   * Starts a separate Paddock, with state, configuration and home in `root`. Null if that is impossible. The streams are pipes
   * by default. The caller must end it.
   */
  startPaddock(
    args: readonly string[],
    where: { readonly root: string; readonly cwd: string; readonly stdin?: 'pipe' | 'ignore' | number; readonly firstInPath?: string },
  ): ChildProcess | null {
    const [program, ...words] = this.#deps.paddock ?? []
    if (program === undefined) return null
    const before = where.firstInPath === undefined ? '' : `${where.firstInPath}:`
    const env = {
      PATH: `${before}/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      HOME: path.join(where.root, 'home'),
      PADDOCK_HOME: where.root,
    }
    return spawn(program, [...words, ...args], { cwd: where.cwd, env, stdio: [where.stdin ?? 'ignore', 'pipe', 'pipe'] })
  }

  /** Runs a command in a cell to its end. */
  async run(command: readonly string[], wishes: CellWishes = {}): Promise<{ report: CellReport; stdout: string; stderr: string }> {
    return collect(await this.start(command, wishes))
  }

  /**
   * Runs a function in a cell and returns its result.
   * @throws Error with the cell's output if the function threw or the cell did not let it finish.
   */
  async inside<Given, Result>(
    script: InsideScript<Given, Result>,
    given: Given,
    wishes: CellWishes = {},
  ): Promise<InsideResult<Awaited<Result>>> {
    const { report, stdout, stderr } = await this.run(this.command(script, given), wishes)
    const at = stdout.lastIndexOf(resultMark)
    if (at < 0)
      throw new Error(`the script in the cell gave no result (${report.ending.kind}): ${stderr.trim().split('\n').slice(0, 6).join(' ')}`)
    return { result: JSON.parse(stdout.slice(at + resultMark.length)) as Awaited<Result>, report, stdout: stdout.slice(0, at), stderr }
  }

  /** Returns the command that runs a function in a cell, for `start`. */
  command<Given>(script: InsideScript<Given, unknown>, given: Given): readonly string[] {
    return [process.execPath, '-e', program(script as InsideScript<never, unknown>), '--', JSON.stringify(given)]
  }

  /** Starts a TCP or Unix server on the host that answers every connection with `hello`. */
  serve(where: { readonly address: string } | { readonly path: string }, onSocket?: (socket: Socket) => void): Promise<HostServer> {
    let count = 0
    const open = new Set<Socket>()
    const server: Server = createServer((socket) => {
      count++
      open.add(socket.on('error', () => undefined))
      socket.once('close', () => open.delete(socket))
      if (onSocket === undefined) socket.end('hello')
      else onSocket(socket)
    })
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      const listening = (): void =>
        resolve({
          port: 'path' in where ? 0 : (server.address() as AddressInfo).port,
          connections: () => count,
          [Symbol.dispose]: () => {
            for (const each of open) each.destroy()
            server.close()
          },
        })
      if ('path' in where) server.listen(where.path, listening)
      else server.listen(0, where.address, listening)
    })
  }
}

/** Reads a cell's output to its end. Only the newest part is kept. */
export async function collect(cell: Cell): Promise<{ report: CellReport; stdout: string; stderr: string }> {
  const [stdout, stderr, report] = await Promise.all([text(cell.stdout), text(cell.stderr), cell.done])
  return { report, stdout, stderr }
}

async function text(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      while (size > maxOutput && chunks.length > 1) size -= chunks.shift()?.length ?? 0
    }
  } catch {
    // An error of the stream ends the output.
  }
  return Buffer.concat(chunks).toString('utf8')
}
