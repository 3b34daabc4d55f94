import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { backendNames } from '../../base/cell-place.ts'
import { postures } from '../../base/posture.ts'
import { choice } from '../choice.ts'
import { jsonOption } from '../json-option.ts'
import { collect } from '../repeatable.ts'
import { answering } from '../terminal/command-answer.ts'
import { addKeepingCommands } from './archive-commands.ts'
import { addIterationCommands } from './iteration-commands.ts'

/** The package root, which is one directory above the bundle and three above the source. */
const above = import.meta.url.endsWith('.ts') ? '../../../' : '../'
const keys = fileURLToPath(new URL(`${above}docs/reference/contest-yaml.md`, import.meta.url))

/** Adds `paddock contest`. */
export function addContestCommands(program: Command): void {
  const contest = program.command('contest').summary('give several agents one brief, and have others judge their sealed work blind')
  contest.addHelpText('after', `\nAll keys of contest.yaml: ${keys}`)

  contest
    .command('new')
    .summary('create a directory with a contest to fill in')
    .argument('<directory>', 'the new directory')
    .option('--from-project <directory>', 'start participants from a copy of this project')
    .option('--ref <commit>', 'with --from-project: use the files of this commit')
    .option(...jsonOption)
    .action(answering<'contest new'>(async () => (await import('./contest-new.ts')).contestNew))

  step(contest, 'lint', 'check a contest before it costs money')
    .option('--try', 'run the checks on an empty submission and on the oracle; runs no agent')
    .action(answering<'contest lint'>(async () => (await import('./contest-lint.ts')).contestLint))

  step(contest, 'run', 'run participants, checks and judges, and report; continues where it stopped')
    .option('--parallel <number>', 'run this many cells at once')
    .option('--wait-for-limits <duration>', 'wait this long for a rate limit to end')
    .addOption(choice('--posture <level>', 'use this isolation level where contest.yaml names none', postures))
    .addOption(choice('--backend <name>', 'use this backend where contest.yaml names none', backendNames))
    .option('--budget <dollars>', 'start no more agents once they cost so much')
    .option('--retry', 'run participants and judges again that did not finish')
    .option('--only <name>', 'with --retry: run only this one again, whatever its outcome')
    .option('--to <directory>', "copy the contest's own files to this directory and run it there")
    .option('--dry-run', 'print who would run, in how many cells and at what cost; start nothing')
    .option('--fresh', 'start a new round and keep the earlier ones')
    .action(answering<'contest run'>(async () => (await import('./contest.ts')).contestRun))

  step(contest, 'judge', 'have the judges score the sealed work, or judge it yourself')
    .option('--me', 'judge pairs yourself in a browser, blind, and ask no other judge')
    .option('--port <number>', 'with --me: serve the page on this port of 127.0.0.1')
    .action(
      answering<'contest judge'>(async () => {
        const [{ contestJudge }, { contestJudgeMe }] = await Promise.all([import('./contest.ts'), import('./contest-judge-me.ts')])
        return (directory: string, options: Parameters<typeof contestJudgeMe>[1]) =>
          options.me === true || options.port !== undefined ? contestJudgeMe(directory, options) : contestJudge(directory, options)
      }),
    )

  step(contest, 'report', 'write the report from the scores').action(
    answering<'contest report'>(async () => (await import('./contest.ts')).contestReport, 'writing the report'),
  )

  step(contest, 'status', 'show the progress of each participant and judge')
    .option('--watch', 'print the status again on each change, until the process ends')
    .action(answering<'contest status'>(async () => (await import('./contest-status.ts')).contestStatusCommand))

  addIterationCommands(contest)
  addKeepingCommands(contest)

  contest
    .command('diff')
    .summary('show how two sealed submissions differ')
    .argument('<directory>', 'the contest')
    .argument('<a>', 'NAME (the newest round), NAME@ROUND, or base for what participants started with')
    .argument('<b>', 'the same for the other side')
    .option('--stat', 'print only which files differ, and by how many lines')
    .option(...jsonOption)
    .action(answering<'contest diff'>(async () => (await import('./contest-diff.ts')).contestDiff, 'comparing'))

  contest
    .command('tail')
    .summary('print what happens in a contest, or what one of its agents does, until it ends')
    .argument('[directory]', 'the contest', '.')
    .argument('[name]', 'a participant or judge')
    .option('--no-follow', 'print the events so far, and exit')
    .option('--json', 'print one JSON object per line')
    .action(async (directory: string, name: string | undefined, options) => {
      const { contestTail } = await import('./contest-tail.ts')
      process.exitCode = await contestTail(directory, name, options)
    })

  contest
    .command('cancel')
    .summary('end the process that runs a contest, and keep finished work')
    .argument('[directory]', 'the contest', '.')
    .option(...jsonOption)
    .action(answering<'contest cancel'>(async () => (await import('./contest-cancel.ts')).contestCancel, 'waiting for its cells to end'))

  contest
    .command('apply')
    .summary("apply a participant's changes to the project that the contest was made from")
    .argument('[directory]', 'the contest', '.')
    .argument('[participant]', 'NAME (the newest round) or NAME@ROUND')
    .option('--path <glob>', 'apply only these paths or globs (repeatable)', collect, [])
    .option('--branch <name>', 'create one commit on a new branch; leave the work tree unchanged')
    .option('--patch <file>', 'write a patch for git apply; leave the work tree unchanged')
    .option('--undo', 'undo the last apply of this contest')
    .option('--dry-run', 'print what would be applied, and apply nothing')
    .option('--commit', 'commit exactly these paths with your own git')
    .option('-m, --message <message>', 'with --commit: use this commit message')
    .option('--hooks', 'with --commit: run hooks and filters of the project')
    .option('--run-later', 'also apply files that programs on this machine run later')
    .option('--allow-secrets', 'also apply files that seem to contain a secret')
    .option('--project <directory>', 'apply to this work tree of the same project')
    .option(...jsonOption)
    .action(answering<'contest apply'>(async () => (await import('./contest-apply.ts')).contestApply))
}

/** Adds a contest command that shows progress. */
function step(contest: Command, name: string, summary: string): Command {
  return contest
    .command(name)
    .summary(summary)
    .argument('[directory]', 'the contest', '.')
    .option(...jsonOption)
    .option('--quiet', 'print no progress')
}
