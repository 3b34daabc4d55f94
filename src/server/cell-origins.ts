import type { AuditLine } from '../audit/line.ts'
import { linesAfter } from '../audit/recent.ts'
import { type CellOrigin, cellOrigin } from '../fleet/cell-name.ts'
import type { OwnCommand } from './own-command.ts'

/** The number of newest cells that are remembered. */
const most = 5_000
/** The most cells of one agent in a filter. */
const mostOfAgent = 200

/** The origins of the cells in the audit log. The first use reads the newest cells, and later uses read added ones. */
export class CellOrigins {
  readonly #directory: string
  readonly #command: OwnCommand
  readonly #names = new Map<string, string>()
  #upTo: number | null = null
  #reading: Promise<void> | null = null

  constructor(directory: string, command: OwnCommand) {
    this.#directory = directory
    this.#command = command
  }

  /** Reads the lines that were added since the last read. */
  async catchUp(): Promise<void> {
    const recent = this.#upTo === null ? null : linesAfter(this.#directory, this.#upTo, { kind: 'cell.launch' })
    if (recent?.whole === true) {
      this.#upTo = recent.newest
      for (const each of recent.lines) this.#add(each)
      return
    }
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null
    })
    await this.#reading
  }

  of(cell: string | undefined): CellOrigin | null {
    const name = cell === undefined ? undefined : this.#names.get(cell)
    return name === undefined ? null : cellOrigin(name)
  }

  /** Returns the newest cells of an agent. */
  cellsOf(agent: string): readonly string[] {
    return [...this.#names].flatMap(([cell, name]) => (cellOrigin(name).agent === agent ? [cell] : [])).slice(-mostOfAgent)
  }

  async #readAll(): Promise<void> {
    for (const each of await this.#command('audit tail', ['--kind', 'cell.launch', '-n', String(most)], { lines: true })) {
      this.#add(each)
      this.#upTo = each.seq
    }
    this.#upTo ??= 0
  }

  #add({ cell, data }: AuditLine): void {
    if (cell === undefined) return
    this.#names.set(cell, String(data['name']))
    for (const [oldest] of this.#names) {
      if (this.#names.size <= most) return
      this.#names.delete(oldest)
    }
  }
}
