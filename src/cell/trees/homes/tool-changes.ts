import { chmodSync, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { covers, idOfRights, noRights, type Rights } from '../../plan/rights.ts'
import { type ToolLayers, workPrefix } from '../../plan/toolchains/tool-layers.ts'
import { readHomeRecord } from './home-record.ts'
import { homeStore } from './settle-home.ts'

/** The options of a mount fit on one page, which these and the other paths fill. */
const mostWider = 10

const layersIn = (home: string): string => path.join(homeStore(home), 'tools')

/**
 * Returns where a cell keeps what it installs in toolchains of the user: one directory for each set of rights, beside the private home. A
 * cell also has what cells with at least its rights installed. `home`: without links. `keeps`: the user wants the cell to have it all.
 */
export function toolLayersOf(home: string, rights: Rights, keeps: boolean): ToolLayers {
  const all = layersIn(home)
  const id = idOfRights(rights)
  const { sets } = readHomeRecord(homeStore(home))
  const others = namesIn(all).filter((each) => each !== id && (keeps || covers(sets[each] ?? noRights, rights)))
  return { all, own: path.join(all, id), wider: others.slice(0, mostWider).map((each) => path.join(all, each)) }
}

/** Returns the directories that overlayfs needed for a cell that has ended, after their permissions were restored. */
export function toolWork(home: string, rights: string, id: string): readonly string[] {
  const own = path.join(layersIn(home), rights)
  const found = namesIn(own).map((each) => path.join(own, each, `${workPrefix}${id}`))
  const left = found.filter((each) => existsSync(each))
  for (const each of left) for (const name of readdirSync(each)) chmodSync(path.join(each, name), 0o700)
  return left
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}
