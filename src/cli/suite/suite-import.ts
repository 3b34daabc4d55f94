import { type ImportedTask, importSuite } from '../../contest/suite/harbor/import-suite.ts'
import { exitCodes } from '../../errors.ts'
import { shellWord } from '../../shell-word.ts'
import { printable } from '../../text.ts'
import { onContestHost } from '../contest/contest-host.ts'
import { printJson, say } from '../terminal/output.ts'

/** `paddock suite import`: exit code 1 if no task could be taken. */
export async function suiteImport(
  tasks: string,
  directory: string,
  flags: { readonly json?: boolean; readonly quiet?: boolean },
): Promise<number> {
  return await onContestHost(flags, async (deps, view) => {
    const done = ({ task, brief }: ImportedTask): void => {
      if (flags.quiet !== true) view.note(`${task}${brief === null ? ' is left out' : ''}`)
    }
    const result = await importSuite(tasks, directory, { ...deps, done })
    view.end()
    const taken = result.tasks.filter(({ brief }) => brief !== null)
    if (flags.json === true) printJson(result)
    else {
      for (const { task, reasons } of result.tasks)
        for (const each of reasons) process.stdout.write(`${printable(`left out: ${task}: ${each}`)}\n`)
      for (const { task, brief, notes } of result.tasks)
        if (brief !== null) for (const each of notes) process.stdout.write(`${printable(`${task}: ${each}`)}\n`)
      process.stdout.write(`${taken.length} of ${result.tasks.length} tasks are briefs of ${printable(result.suite)}\n`)
      if (taken.length > 0) say(`try their checks with: paddock suite lint --try ${shellWord(directory)}; say who takes part in suite.yaml`)
    }
    return taken.length > 0 ? exitCodes.done : exitCodes.no
  })
}
