import { realpathSync } from 'node:fs'
import path from 'node:path'
import { adapterNames, findAdapter } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { Setting } from '../../config/layers.ts'
import { projectFileName } from '../../config/project-file-name.ts'
import type { Loaded } from '../config/configured.ts'

/** Returns the name of an agent that can be run. @throws PaddockError `BAD_INPUT` */
export function runnable(name: string, args: readonly string[]): string {
  const known = adapterNames.filter((each) => each !== 'command')
  if (known.includes(name)) return name
  if (name === 'command') throw new PaddockError('BAD_INPUT', 'To run a command, put it behind --.', { hint: 'paddock run -- make test' })
  try {
    return findAdapter(name).name
  } catch (error) {
    const hint = error instanceof PaddockError && error.hint?.startsWith('Did you mean') ? `${error.hint.split('?')[0]}? ` : ''
    throw new PaddockError('BAD_INPUT', `There is no agent "${name}".`, {
      hint: `${hint}The agents are ${known.join(', ')}. To run a command: paddock run -- ${[name, ...args].map(shellWord).join(' ')}`,
    })
  }
}

/**
 * Returns the path of a setting. A path that the project asks for must be the one that the user saw, so it must not lead through a link.
 * @throws PaddockError `BAD_INPUT`, `NOT_ALLOWED`
 */
export function placeOf(setting: Setting, paths: Pick<Paths, 'userHome'>, { project }: Loaded): string {
  const place = path.normalize(String(setting.value).replace(/^~(?=\/)/, paths.userHome))
  if (project === null || !setting.origin.startsWith(`${project.file.file}:`)) return place
  let real: string
  try {
    real = realpathSync(place)
  } catch (cause) {
    throw new PaddockError('BAD_INPUT', `${setting.origin}: there is nothing at ${place}.`, {
      hint: `Create it, or change ${projectFileName}`,
      cause,
    })
  }
  if (real !== place.replace(/(?<=.)\/$/, ''))
    throw new PaddockError('NOT_ALLOWED', `${setting.origin}: ${place} leads through a link to ${real}.`, {
      hint: 'Give a path without links; a project may ask only for such paths, so that you see what you agree to',
    })
  return real
}
