import path from 'node:path'
import { backup, restore } from '../../fleet/backup/backup.ts'
import { resolvePaths } from '../../paths.ts'
import { formatSize } from '../../quantities.ts'
import { shellWord } from '../../shell-word.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/answer.ts'
import { fleetOf } from './data-option.ts'

interface Options {
  readonly data?: string
}

/** Runs `paddock fleet backup`. */
export async function backupFleet(file: string, options: Options): Promise<Answer<Result<'fleet backup'>>> {
  const done = await backup(fleetOf(options.data, resolvePaths(process.env)), path.resolve(file))
  return {
    data: { file: path.resolve(file), ...done },
    lines: [
      `${file} has ${counted(done)} (${formatSize(done.bytes)}). It contains what agents wrote, so protect it like their workspaces.`,
    ],
  }
}

/** Runs `paddock fleet restore`. */
export async function restoreFleet(file: string, options: Options): Promise<Answer<Result<'fleet restore'>>> {
  const data = fleetOf(options.data, resolvePaths(process.env))
  const done = await restore(path.resolve(file), data)
  const command = `paddock serve${options.data === undefined ? '' : ` --data ${shellWord(data.root)}`}`
  return { data: { data: data.root, ...done }, lines: [`${data.root} is restored, with ${counted(done)}. To continue: ${command}`] }
}

const counted = ({ agents, jobs }: { readonly agents: number; readonly jobs: number }): string =>
  `${agents} agent${agents === 1 ? '' : 's'} and ${jobs} job${jobs === 1 ? '' : 's'}`
