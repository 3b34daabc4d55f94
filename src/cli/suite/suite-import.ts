import { exitCodes } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { type ImportedTask, importSuite } from '../../contest/suite/harbor/import-suite.ts'
import { onContestHost } from '../contest/contest-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

/** `paddock suite import`: exit code 1 if no task could be imported. */
export async function suiteImport(
  tasks: string,
  directory: string,
  flags: { readonly quiet?: boolean },
): Promise<Answer<Result<'suite import'>>> {
  return await onContestHost(flags, async (deps, view) => {
    const done = ({ task, brief }: ImportedTask): void => {
      if (flags.quiet !== true) view.note(`${task}${brief === null ? ' is left out' : ''}`)
    }
    const result = await importSuite(tasks, directory, { ...deps, done })
    view.end()
    const taken = result.tasks.filter(({ brief }) => brief !== null)
    return {
      data: result,
      lines: [
        ...result.tasks.flatMap(({ task, reasons }) => reasons.map((each) => `left out: ${task}: ${each}`)),
        ...taken.flatMap(({ task, notes }) => notes.map((each) => `${task}: ${each}`)),
        `${taken.length} of ${result.tasks.length} tasks are briefs of ${result.suite}`,
      ],
      notes:
        taken.length === 0
          ? []
          : [`try their checks with: paddock suite lint --try ${shellWord(directory)}; name the participants in suite.yaml`],
      exitCode: taken.length > 0 ? exitCodes.done : exitCodes.no,
    }
  })
}
