import path from 'node:path'
import type { Paths } from '../../base/paths.ts'
import { type FleetData, fleetData } from '../../fleet/data-directory.ts'

/** The option of all commands that use a fleet's data. */
export const dataOption = ['--data <directory>', 'use this fleet (default: ~/.local/share/paddock/fleet)'] as const

/** Returns the fleet that a command works on. */
export function fleetOf(option: string | undefined, paths: Paths): FleetData {
  return fleetData(option === undefined ? path.join(paths.data, 'fleet') : path.resolve(option))
}
