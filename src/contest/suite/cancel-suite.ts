import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import type { Holder } from '../../files/lock.ts'
import { cancelContest } from '../state/cancel.ts'
import { SuiteLayout } from './config/suite-layout.ts'

/** A process that worked on a suite, or on one of its contests, and has ended. */
export interface EndedWork {
  /** The contest, such as `parser/2`; null: the whole suite. */
  readonly run: string | null
  readonly holder: Holder
}

/**
 * `suite cancel`: ends the process that works on a suite, then the processes that work only on one of its contests. suite.yaml may be invalid.
 * @throws PaddockError NOT_FOUND without suite.yaml, and like `cancelContest`
 */
export async function cancelSuite(
  directory: string,
  deps: { readonly paths: Pick<Paths, 'state'>; readonly signal: AbortSignal; readonly asked: (who: Holder) => void },
): Promise<readonly EndedWork[]> {
  const layout = new SuiteLayout(directory)
  if ((await lstat(layout.config).catch(() => null)) === null)
    throw new PaddockError('NOT_FOUND', `${layout.root} has no suite.yaml.`, { hint: 'Name the directory of a suite' })
  const ended: EndedWork[] = []
  const end = async (run: string | null, root: string): Promise<void> => {
    const holder = await cancelContest({ root }, deps)
    if (holder !== null) ended.push({ run, holder })
  }
  await end(null, layout.root)
  for (const brief of await directoriesIn(layout.runs))
    for (const repeat of await directoriesIn(path.join(layout.runs, brief)))
      await end(path.join(brief, repeat), path.join(layout.runs, brief, repeat))
  return ended
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries.flatMap((each) => (each.isDirectory() ? [each.name] : [])).toSorted()
}
