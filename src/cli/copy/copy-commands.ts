import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { collect } from '../repeatable.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock review`, `paddock apply` and `paddock discard`. */
export function addCopyCommands(program: Command): void {
  program
    .command('review')
    .summary('show what an agent changed in a copy of the project (paddock run --copy)')
    .argument('[words...]', 'the id of a copy (default: the newest of this project), and paths to show')
    .option('--path <path>', 'show only this path of the project (repeatable)', collect, [])
    .option('--stat', 'print only the names of changed files, with notes on each')
    .option('--whole', 'print whole files, not only the lines around changes')
    .option('--list', 'list the copies of all projects')
    .option(...jsonOption)
    .action(answering<'review'>(async () => (await import('./review-command.ts')).reviewCommand))

  program
    .command('apply')
    .summary('apply the changes of a copy to the project, all or some')
    .argument('[words...]', 'the id of a copy (default: the newest of this project), and paths to apply')
    .option('--path <path>', 'apply only this path of the project (repeatable)', collect, [])
    .option('--run-later', 'also apply files that programs on this machine run later')
    .option('--allow-secrets', 'also apply files that seem to contain a secret')
    .option('--commit', 'commit exactly these paths with your own git')
    .option('-m, --message <text>', 'with --commit: use this commit message')
    .option('--hooks', 'with --commit: run hooks and programs that your git configures')
    .option('--keep', 'keep the copy even if all of it was applied')
    .option(...jsonOption)
    .action(answering<'apply'>(async () => (await import('./apply-command.ts')).applyCommand))

  program
    .command('discard')
    .summary('delete a copy and all changes in it')
    .argument('[id]', 'the copy (default: the newest of this project)')
    .option(...jsonOption)
    .action(answering<'discard'>(async () => (await import('./discard-command.ts')).discardCommand))
}
