import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { Contest } from '../config/brief.ts'
import type { ContestDeps } from '../state/contest-deps.ts'

/** The path of the work of a participant. All trees of a contest have the same one, so that they share results. */
const at = '/contest/out'

export interface SetupScene {
  readonly contest: Pick<Contest, 'config' | 'layout'>
  readonly deps: ContestDeps
}

/**
 * Gives a tree the directories of the contest's setup. Returns why that failed, if an agent wrote the files that the command reads; null:
 * it is set up, or the contest has no setup.
 * @throws PaddockError as `setUp`, if the files are the contest's
 */
export async function setUpTree(
  { contest, deps }: SetupScene,
  directory: string,
  { isAgents, say }: { readonly isAgents: boolean; readonly say: (line: string) => void },
): Promise<string | null> {
  const { setup } = contest.config
  if (setup === undefined) return null
  const start = path.join(contest.layout.root, contest.config.start ?? 'start')
  const known = setup.keep.find((each) => kindBelow(start, path.join(start, each)) !== null)
  if (known !== undefined)
    throw new PaddockError('BAD_INPUT', `setup.keep: ${start} has ${known} already, so it would be missing in what is submitted.`, {
      hint: 'Name only directories that the command makes',
    })
  const [{ setUp }, { wishOf }] = await Promise.all([import('../../setup/set-up.ts'), import('../../setup/wish.ts')])
  const wish = wishOf(setup, (key) => `${contest.layout.config}: setup.${key}`)
  try {
    await setUp(wish, { directory, at }, { host: deps, audit: deps.audit, signal: deps.signal, say })
    return null
  } catch (error) {
    if (!isAgents || deps.signal.aborted || !(error instanceof PaddockError)) throw error
    return error.message
  }
}

/** Removes the directories of the setup from an attempt that has ended, because they are not part of its work. */
export async function removeSetUp({ config }: Pick<Contest, 'config'>, out: string): Promise<void> {
  for (const each of config.setup?.keep ?? []) {
    const file = path.join(out, each)
    if (kindBelow(out, path.dirname(file)) === 'directory') await removeTree(file)
  }
}
