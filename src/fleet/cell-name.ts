import { idPatterns } from './ids.ts'

/** The reason why a cell was started. */
export interface CellOrigin {
  /** The name of the cell, such as `run claude`. */
  readonly name: string
  /** The name that the cell's agent in the fleet had at that time, or null. */
  readonly agent: string | null
  readonly job: string | null
}

/** Returns the name of the cell for a job or terminal of an agent. */
export function cellName(agent: string, id: string): string {
  return `${agent} ${id}`
}

/** Parses the name of a cell, of a fleet or not. */
export function cellOrigin(name: string): CellOrigin {
  const [agent = '', id = '', ...more] = name.split(' ')
  const isJob = idPatterns.job.test(id)
  const isOfFleet = more.length === 0 && (isJob || idPatterns.session.test(id))
  return { name, agent: isOfFleet ? agent : null, job: isJob && isOfFleet ? id : null }
}
