import path from 'node:path'
import { exitCodes } from '../../errors.ts'
import { backup, restore } from '../../fleet/backup/backup.ts'
import { resolvePaths } from '../../paths.ts'
import { formatSize } from '../../quantities.ts'
import { shellWord } from '../../shell-word.ts'
import { printJson } from '../terminal/output.ts'
import { fleetOf } from './data-option.ts'

interface Options {
  readonly data?: string
  readonly json?: boolean
}

/** `paddock fleet backup` */
export async function backupFleet(file: string, options: Options): Promise<number> {
  const done = await backup(fleetOf(options.data, resolvePaths(process.env)), path.resolve(file))
  if (options.json === true) printJson({ file: path.resolve(file), ...done })
  else
    process.stdout.write(
      `${file} has ${counted(done)} (${formatSize(done.bytes)}). It holds what agents wrote: keep it as you keep their workspaces.\n`,
    )
  return exitCodes.done
}

/** `paddock fleet restore` */
export async function restoreFleet(file: string, options: Options): Promise<number> {
  const data = fleetOf(options.data, resolvePaths(process.env))
  const done = await restore(path.resolve(file), data)
  if (options.json === true) printJson({ data: data.root, ...done })
  else
    process.stdout.write(
      `${data.root} has ${counted(done)} again. To go on: paddock serve${options.data === undefined ? '' : ` --data ${shellWord(data.root)}`}\n`,
    )
  return exitCodes.done
}

const counted = ({ agents, jobs }: { readonly agents: number; readonly jobs: number }): string =>
  `${agents} agent${agents === 1 ? '' : 's'} and ${jobs} job${jobs === 1 ? '' : 's'}`
