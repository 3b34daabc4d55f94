import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import { shellWord } from '../../base/shell-word.ts'
import { newContest } from '../../contest/config/new-contest.ts'
import { type TakenProject, takeProject } from '../../contest/project/take-project.ts'
import { noteContest } from '../../contest/state/known-contests.ts'
import { projectAround } from '../../git/project.ts'
import { cliCopyHost } from '../copy/command-copy-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

interface NewOptions {
  readonly fromProject?: string
  readonly ref?: string
  readonly json?: boolean
}

/** `paddock contest new DIRECTORY`: creates a contest to fill in. With `--from-project`, participants start with a copy of a project. */
export async function contestNew(directory: string, { fromProject, ref, json }: NewOptions): Promise<Answer<Result<'contest new'>>> {
  if (ref !== undefined && fromProject === undefined)
    throw new PaddockError('BAD_INPUT', '--ref requires --from-project.', { hint: 'Name the project with --from-project DIRECTORY' })
  const host = cliCopyHost({ quiet: json === true })
  const project = fromProject === undefined ? null : await projectAt(fromProject, host.paths)
  let taken: TakenProject | null = null
  const { paths } = host
  const own = [paths.userHome, paths.config, paths.state, paths.data, paths.cache]
  const refused = await Promise.all(own.map((each) => realpath(each).catch(() => each)))
  const made = await newContest(
    directory,
    project === null
      ? undefined
      : async (layout) => {
          taken = await takeProject(layout, { project, ref: ref ?? null, refused }, host)
        },
  )
  noteContest(paths.state, { root: await realpath(directory) })
  const found = taken as TakenProject | null
  return { data: { schemaVersion: 1, made, project, ...(found ?? {}) }, notes: notesOf(directory, made, project, found) }
}

function notesOf(directory: string, made: readonly string[], project: string | null, taken: TakenProject | null): readonly string[] {
  return [
    ...made.map((each) => `made ${path.relative(process.cwd(), each) || each}`),
    ...(taken === null ? [] : [`start/ has ${taken.files} file${taken.files === 1 ? '' : 's'} of ${project}`, ...taken.notes]),
    `fill in contest.yaml, BRIEF.md and JUDGE_BRIEF.md in ${directory}, then: paddock contest run ${shellWord(directory)}`,
  ]
}

/** Returns the repository that contains a directory; if there is none, the directory itself, as `paddock run` does. */
async function projectAt(directory: string, { userHome }: Paths): Promise<string> {
  const real = await realpath(directory).catch(() => null)
  if (real === null) throw new PaddockError('NOT_FOUND', `--from-project ${directory}: there is no such directory.`)
  if (real !== path.resolve(directory))
    throw new PaddockError('NOT_ALLOWED', `--from-project ${directory} is a symbolic link, or is behind one.`, {
      hint: `If you want its files, name the directory itself: --from-project ${shellWord(real)}`,
    })
  return projectAround(real, userHome)
}
