import type { Command } from 'commander'
import { backendNames } from '../../base/cell-place.ts'
import { postures } from '../../base/posture.ts'
import { choice } from '../choice.ts'
import { jsonOption } from '../json-option.ts'
import { collect } from '../repeatable.ts'
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
    .addOption(choice('--posture <level>', 'use this isolation level where suite.yaml names none', postures))
    .addOption(choice('--backend <name>', 'use this backend where suite.yaml names none', backendNames))
    .option('--budget <dollars>', 'start no cell that would make all cost more than this')
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
  suite
    .command('compare')
    .summary('compare a run with an earlier one, and fail if it is worse')
    .argument('<base>', 'the earlier run: a suite, or DIRECTORY@N for round N')
    .argument('<new...>', 'the run to compare; with more, the last one')
    .option('--fail-if <condition>', 'exit with 1 if "worse by 3", "cost worse by 20%"', collect, [])
    .option('--surely', 'fail only if the loss is that large with 95% certainty')
    .option('--participants <names>', 'compare only these: NAME or BASE=NEW (comma-separated)')
    .option('--only <briefs>', 'compare only these briefs (comma-separated names)')
    .option('--as-judged', 'use the scores of the old judgings, and ask no judge')
    .option('--retry', 'ask judges again that failed')
    .option('--budget <dollars>', 'ask no more judges once they cost so much')
    .option('--parallel <number>', 'run this many cells at once')
    .option('--out <directory>', 'write the report to this directory')
    .option('--dry-run', 'print what judges would be asked; start nothing')
    .option('--quiet', 'print no progress')
    .option(...jsonOption)
    .action(answering<'suite compare'>(async () => (await import('./suite-compare.ts')).suiteCompare))
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
  again(add, 'rejudge', 'have all judges judge each contest again, under new labels, and report').action(
    answering<'suite rejudge'>(async () => (await import('./suite-steps.ts')).suiteRejudge),
  )
  again(add, 'refine', 'start a new round of each contest from its submissions, and report')
    .option('--participants <names>', 'run only these again (comma-separated); the others keep their seals')
    .option('--feedback <file>', 'give all of them this feedback instead of FEEDBACK.md')
    .action(answering<'suite refine'>(async () => (await import('./suite-steps.ts')).suiteRefine))
  add('cancel', 'end the process that works on a suite, and keep finished work').action(
    answering<'suite cancel'>(async () => (await import('./suite-steps.ts')).suiteCancel, 'waiting for its cells to end'),
  )
  add('archive', 'write the results of each contest to one file, to share')
    .option('--with-logs', 'include transcripts and output of agents')
    .addOption(choice('--format <format>', 'write tar files (tar) or directories (dir)', ['tar', 'dir'], 'tar'))
    .option('--out <directory>', 'write to this directory (default: here, NAME-archives)')
    .option('--allow-secrets', 'include text that looks like a secret, but no known credential')
    .option('--only <briefs>', 'archive only these briefs (comma-separated names)')
    .action(answering<'suite archive'>(async () => (await import('./suite-steps.ts')).suiteArchive, 'packing'))
  add('clean', 'remove work directories that are sealed, and other copies')
    .option('--dry-run', 'print what would be removed, and remove nothing')
    .option('--only <briefs>', 'clean only these briefs (comma-separated names)')
    .action(answering<'suite clean'>(async () => (await import('./suite-steps.ts')).suiteClean, 'looking for leftovers'))
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

/** Adds a command that runs cells in each contest that was run. */
function again(add: (name: string, summary: string) => Command, name: string, summary: string): Command {
  return add(name, summary)
    .option('--quiet', 'print no progress')
    .option('--parallel <number>', 'run this many cells at once')
    .option('--wait-for-limits <duration>', 'wait this long for a rate limit to end')
    .option('--only <briefs>', 'only for these briefs (comma-separated names)')
}
