import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { JobInputs } from './job-inputs.ts'

export interface JobPlaces {
  /** The project, contest or suite: an absolute path. */
  readonly directory: string
  /** The earlier run of a suite: an absolute path, with `@N` for a round. */
  readonly base: string | null
  /** Where the report is written while the job runs. No cell can see it. */
  readonly staging: string
}

/** Returns the arguments of `paddock`, with paths as seen from the checkout. Writes the prompt to a file, because arguments can be seen by all users of the machine. */
export function commandWords(inputs: JobInputs, { directory: given, base, staging }: JobPlaces, workspace: string): readonly string[] {
  const { command, args, prompt, failIf, budget, timeoutMs } = inputs
  const shown = (file: string): string => (file.startsWith(`${workspace}/`) ? path.relative(workspace, file) : file)
  const directory = shown(given)
  switch (command) {
    case 'run': {
      const file = path.join(staging, '../PROMPT')
      if (prompt !== null) writeFileSync(file, prompt, { mode: 0o600 })
      return [
        'run',
        '--json',
        ...(timeoutMs === null ? [] : ['--timeout', `${timeoutMs}ms`]),
        ...(prompt === null ? [] : ['--prompt-file', file, '--trajectory', path.join(staging, 'trajectory.json')]),
        ...args,
      ]
    }
    case 'contest':
    case 'suite':
      return [command, 'run', '--json', ...(budget === null ? [] : ['--budget', String(budget)]), directory, ...args]
    case 'compare':
      return [
        'suite',
        'compare',
        '--json',
        '--out',
        staging,
        ...failIf.flatMap((each) => ['--fail-if', each]),
        ...(budget === null ? [] : ['--budget', String(budget)]),
        shown(base ?? ''),
        directory,
        ...args,
      ]
    case 'verify':
      return ['verify', '--json', ...args]
  }
}
