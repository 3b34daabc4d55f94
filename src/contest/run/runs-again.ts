import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { ContestConfig } from '../config/contest-schema.ts'
import type { Scene } from '../state/scene.ts'

/**
 * Returns the finished participants or judges that run again.
 * @throws PaddockError BAD_INPUT for `only` without `retry`, NOT_FOUND for an unknown name.
 */
export function whoRunsAgain(
  { participants, judges }: ContestConfig,
  { retry = false, only }: { readonly retry?: boolean; readonly only?: string },
  directory: string,
): Pick<Scene, 'retry' | 'only'> {
  if (only === undefined) return { retry, only: null }
  if (!retry)
    throw new PaddockError('BAD_INPUT', '--only requires --retry.', {
      hint: `Run: paddock contest run --retry --only ${shellWord(only)} ${shellWord(directory)}`,
    })
  const names = [...participants, ...judges].map((each) => each.name)
  if (names.includes(only)) return { retry: false, only }
  const near = nearest(only, names)
  throw new PaddockError('NOT_FOUND', `--only ${only}: this contest has no participant or judge of that name.`, {
    hint: near === null ? `The names are ${names.join(', ')}` : `Did you mean ${near}?`,
  })
}
