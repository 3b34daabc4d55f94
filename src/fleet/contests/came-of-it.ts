import { lstat } from 'node:fs/promises'
import { Layout } from '../../contest/config/contest-layout.ts'
import { readRegular } from '../../files/read-regular.ts'

/** Facts about a contest that lists show in addition to its state. */
export interface CameOfIt {
  /** The sentence that names the leader; null if no judge gave scores or there is no report. */
  readonly verdict: string | null
  /** The cost of the contest's round so far, in US dollars; null if no cost is known. */
  readonly costUsd: number | null
}

const mostBytes = 16 * 1024 * 1024

/** Reads the results of contests. A file is read again only if it has changed. */
export class ContestFiles {
  readonly #known = new Map<string, { readonly stamp: string; readonly value: unknown }>()

  async cameOf(directory: string): Promise<CameOfIt> {
    const layout = new Layout(directory)
    const [summary, status] = await Promise.all([this.#read(layout.summary, verdictIn), this.#read(layout.status, costIn)])
    return { verdict: summary ?? null, costUsd: status ?? null }
  }

  async #read<Value>(file: string, take: (json: unknown) => Value): Promise<Value | null> {
    const facts = await lstat(file).catch(() => null)
    if (facts === null) return null
    const stamp = `${facts.ino} ${facts.mtimeMs} ${facts.size}`
    const known = this.#known.get(file)
    if (known?.stamp === stamp) return known.value as Value
    const read = await readRegular(file, mostBytes)
    let value: Value | null = null
    try {
      value = read.ok ? take(JSON.parse(read.bytes.toString('utf8'))) : null
    } catch {
      // The file was not written by this Paddock; the page of the contest shows more.
    }
    this.#known.set(file, { stamp, value })
    return value
  }
}

function verdictIn(json: unknown): string | null {
  const { verdict } = json as { readonly verdict?: { readonly sentence?: unknown } | null }
  return typeof verdict?.sentence === 'string' ? verdict.sentence : null
}

function costIn(json: unknown): number | null {
  type Costs = Readonly<Record<string, { readonly costUsd?: unknown }>>
  const { participants = {}, tasks = [] } = json as {
    readonly participants?: Costs
    readonly tasks?: readonly { readonly costUsd?: unknown }[]
  }
  const costs = [...Object.values(participants), ...tasks].flatMap(({ costUsd }) => (typeof costUsd === 'number' ? [costUsd] : []))
  return costs.length === 0 ? null : costs.reduce((sum, each) => sum + each, 0)
}
