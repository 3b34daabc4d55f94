import path from 'node:path'
import { exitCodes } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { formatSize } from '../../base/quantities.ts'
import { shellWord } from '../../base/shell-word.ts'
import { listed } from '../../base/text.ts'
import { backup, restore } from '../../fleet/backup/backup.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { fleetOf } from './data-option.ts'
import { pauseLine } from './pause-line.ts'

interface Options {
  readonly data?: string
}

/** The most missing entries that are shown as text. */
const mostNamed = 10

/** Runs `paddock fleet backup`. */
export async function backupFleet(file: string, options: Options): Promise<Answer<Result<'fleet backup'>>> {
  const done = await backup(fleetOf(options.data, resolvePaths(process.env)), path.resolve(file))
  const { missing } = done
  const named = listed(missing, mostNamed)
  return {
    data: { file: path.resolve(file), ...done },
    lines: [
      `${file} has ${counted(done)} (${formatSize(done.bytes)}). It contains what agents wrote, so protect it like their workspaces.`,
    ],
    notes: missing.length === 0 ? [] : [`The archive is not complete. Check the owner and the mode of what it lacks: ${named}`],
    exitCode: missing.length === 0 ? exitCodes.done : exitCodes.no,
  }
}

/** Runs `paddock fleet restore`. */
export async function restoreFleet(
  file: string,
  options: Options & { readonly paused?: boolean },
): Promise<Answer<Result<'fleet restore'>>> {
  const data = fleetOf(options.data, resolvePaths(process.env))
  const jobs = options.paused === true
  const { movedFrom, ...counts } = await restore(path.resolve(file), data, { jobs })
  const root = options.data === undefined ? undefined : data.root
  return {
    data: { data: data.root, ...counts, movedFrom, paused: { jobs } },
    lines: [
      `${data.root} is restored, with ${counted(counts)}. To start it: paddock serve${root === undefined ? '' : ` --data ${shellWord(root)}`}`,
      pauseLine({ jobs }, root),
      ...(movedFrom === null
        ? []
        : [`The path was ${movedFrom}. Virtual environments and conversations that contain it do not work here.`]),
    ],
  }
}

const counted = ({ agents, jobs }: { readonly agents: number; readonly jobs: number }): string =>
  `${agents} agent${agents === 1 ? '' : 's'} and ${jobs} job${jobs === 1 ? '' : 's'}`
