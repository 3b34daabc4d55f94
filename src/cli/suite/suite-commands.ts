import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock suite`. */
export function addSuiteCommands(program: Command): void {
  const suite = program.command('suite').summary('give several agents many briefs, several times each, with one report')
  const add = (name: string, summary: string): Command =>
    suite
      .command(name)
      .summary(summary)
      .argument('[directory]', 'the suite', '.')
      .option(...jsonOption)

  suite
    .command('new')
    .summary('create a suite to fill in')
    .argument('<directory>', 'the directory of the new suite')
    .option('--starter', 'add twelve small briefs with checks, in three languages')
    .option(...jsonOption)
    .action(answering<'suite new'>(async () => (await import('./suite-new.ts')).suiteNew))
  add('run', 'run all unfinished contests, and report on all contests')
    .option('--quiet', 'print no progress')
    .option('--parallel <number>', 'run this many cells at once')
    .option('--only <briefs>', 'run only these briefs (comma-separated names)')
    .option('--retry', 'run participants and judges again that did not finish')
    .option('--dry-run', 'print what would run and what it may cost; start nothing')
    .option('--fresh', 'start a new round of each contest and keep the earlier ones')
    .action(answering<'suite run'>(async () => (await import('./suite.ts')).suiteRun))
  add('plan', 'show how many briefs it takes to find a difference')
    .option('--detect <points>', 'find a difference of so many points of 100', '10')
    .option('--sd <points>', 'assume this standard deviation of differences over briefs')
    .action(answering<'suite plan'>(async () => (await import('./suite-plan.ts')).suitePlanned, 'reading the results'))
  add('report', 'write the report on all contests').action(
    answering<'suite report'>(async () => (await import('./suite.ts')).suiteReport, 'writing the report'),
  )
  add('status', 'show the progress of each contest').action(
    answering<'suite status'>(async () => (await import('./suite.ts')).suiteStatus, 'reading the contests'),
  )
  add('lint', 'check each brief before it costs money')
    .option('--try', 'run the checks on an empty submission and on the oracle; runs no agent')
    .option('--only <briefs>', 'check only these briefs (comma-separated names)')
    .option('--parallel <number>', 'run this many cells at once')
    .option('--quiet', 'print no progress')
    .action(answering<'suite lint'>(async () => (await import('./suite-lint.ts')).suiteLint))
  suite
    .command('import')
    .summary('create briefs from Harbor tasks')
    .argument('<tasks>', 'a directory of tasks, or one task')
    .argument('[directory]', 'the suite to add them to', '.')
    .option(...jsonOption)
    .option('--quiet', 'print no progress')
    .action(answering<'suite import'>(async () => (await import('./suite-import.ts')).suiteImport))
  suite
    .command('from-git')
    .summary('create briefs from past commits that fixed something and changed tests')
    .argument('<repository>', 'the root of a work tree of git')
    .argument('[directory]', 'the suite to add them to', '.')
    .option('--since <date-or-commit>', 'look only at commits after this one')
    .option('--most <number>', 'run the tests of at most this many commits', '20')
    .option('--repeats <number>', 'run the tests this often before and after each fix', '3')
    .option('--test <command>', 'run the tests with this command')
    .option('--junit <file>', 'read this JUnit report, which the command of --test writes')
    .option('--history', 'give participants the history up to the commit before')
    .option('--parallel <number>', 'run this many cells at once')
    .option('--quiet', 'print no progress')
    .option(...jsonOption)
    .action(answering<'suite from-git'>(async () => (await import('./suite-from-git.ts')).suiteFromGit))
  add('trust', 'trust suite.yaml with the variables, secrets and hosts that it asks for')
    .option('--show', 'only print what it asks for')
    .action(answering<'suite trust'>(async () => (await import('./suite.ts')).suiteTrust))
}
