import { createHash } from 'node:crypto'
import path from 'node:path'

/** Returns the private home of an agent in a project. Each such pair has its own, so that a poisoned conversation cannot spread. */
export function privateHome(project: string, agent: string, stateDirectory: string): string {
  const name = `${path.basename(project).replace(/[^A-Za-z0-9._-]/g, '-')}-${createHash('sha256').update(project).digest('hex').slice(0, 12)}`
  return path.join(stateDirectory, 'homes', name, agent)
}
