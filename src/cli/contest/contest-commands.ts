import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { collect } from '../repeatable.ts'
import { addIterationCommands } from './iteration-commands.ts'

const steps = [
  ['lint', 'say what is wrong with a contest, or could be better, before it costs money'],
  ['run', 'run participants, checks and judges, and report; continues what was begun'],
  ['judge', 'let the judges score what is sealed, or judge it yourself'],
  ['report', 'write the report from the scores'],
  ['status', 'say how far it is'],
] as const

const removals = [
  ['clean', 'remove work directories that are sealed, and other copies'],
  ['prune', 'remove attempts and judgings that no longer count'],
] as const

/** The bundle is a directory below the package, the source two. */
const above = import.meta.url.endsWith('.ts') ? '../../../' : '../'
const keys = fileURLToPath(new URL(`${above}docs/reference/contest-yaml.md`, import.meta.url))

/** `paddock contest` and its steps. */
export function addContestCommands(program: Command): void {
  const contest = program.command('contest').summary('put several agents to one brief and have others judge their sealed work blind')
  contest.addHelpText('after', `\nAll keys of contest.yaml: ${keys}`)

  contest
    .command('new')
    .summary('make a directory with a contest to fill in')
    .argument('<directory>')
    .option('--from-project <directory>', 'participants begin with a copy of this project, and what they change can be applied to it')
    .option('--ref <commit>', 'with --from-project: the files of this commit, in place of the work tree')
    .option('--json', 'the result as JSON on standard output')
    .action(async (directory: string, options) => {
      const { contestNew } = await import('./contest-new.ts')
      process.exitCode = await contestNew(directory, options)
    })

  for (const [name, summary] of steps) {
    const command = contest
      .command(name)
      .summary(summary)
      .argument('[directory]', 'the contest', '.')
      .option('--json', 'the result as JSON on standard output')
      .option('--quiet', 'no progress')
    if (name === 'lint') command.option('--try', 'run the checks on nothing, on what only ends, and on the oracle; runs no agent')
    if (name === 'judge')
      command
        .option('--me', 'judge yourself: shows pairs in a browser, blind, and asks no other judge')
        .option('--port <number>', 'with --me: the port of the page on 127.0.0.1; any free one by default')
    if (name === 'status') command.option('--watch', 'print it again whenever it changes, until no process works on it')
    if (name === 'run') {
      command
        .option('--parallel <number>', 'cells at once')
        .option('--wait-for-limits <duration>', 'wait so long for a rate limit to end, over what contest.yaml says')
        .option('--retry', 'run participants and judges again that could not run to their end')
        .option('--only <name>', 'with --retry: run only this one again, whatever its outcome')
        .option('--to <directory>', 'copy the contest’s own files there first and run it there')
        .option('--dry-run', 'say who would run where, with whose login, in how many cells and for how much, and start nothing')
        .option('--fresh', 'start a new round; the earlier ones are kept')
    }
    command.action(async (directory: string, options) => {
      if (name === 'judge' && (options.me === true || options.port !== undefined)) {
        const { contestJudgeMe } = await import('./contest-judge-me.ts')
        process.exitCode = await contestJudgeMe(directory, options)
        return
      }
      const { contestStep } = await import('./contest.ts')
      process.exitCode = await contestStep(name, directory, options)
    })
  }

  addIterationCommands(contest)

  contest
    .command('diff')
    .summary('say what differs between two sealed submissions')
    .argument('<directory>', 'the contest')
    .argument('<a>', 'NAME (the newest round), NAME@ROUND, or base: what participants began with, else raw/')
    .argument('<b>', 'the same')
    .option('--stat', 'only which files differ, and by how many lines')
    .option('--json', 'the result as JSON on standard output')
    .action(async (directory: string, a: string, b: string, options) => {
      const { contestDiff } = await import('./contest-diff.ts')
      process.exitCode = await contestDiff(directory, a, b, options)
    })

  contest
    .command('apply')
    .summary('apply what a participant changed to the project that the contest was made from')
    .argument('[directory]', 'the contest', '.')
    .argument('[participant]', 'NAME (the newest round) or NAME@ROUND')
    .option('--path <glob>', 'only these paths or globs of the project (repeatable)', collect, [])
    .option('--branch <name>', 'as one commit on a new branch; the work tree is left alone')
    .option('--patch <file>', 'as a patch for git apply; the work tree is left alone')
    .option('--undo', 'put back what the last apply of this contest changed in the work tree')
    .option('--dry-run', 'list what would be applied, what runs later and what moved, and apply nothing')
    .option('--commit', 'commit what was applied, as you')
    .option('-m, --message <message>', 'with --commit: the first line of the message')
    .option('--hooks', 'with --commit: git runs hooks and filters that are in the project')
    .option('--run-later', 'also apply what other programs run or obey later')
    .option('--allow-secrets', 'also apply what looks like a secret')
    .option('--project <directory>', 'another work tree of the same project')
    .option('--json', 'the result as JSON on standard output')
    .action(async (directory: string, participant: string | undefined, options) => {
      const { contestApply } = await import('./contest-apply.ts')
      process.exitCode = await contestApply(directory, participant, options)
    })

  contest
    .command('tail')
    .summary('print what happens in a contest, or what one of its agents says and does, until it ends')
    .argument('[directory]', 'the contest', '.')
    .argument('[name]', 'a participant or judge')
    .option('--no-follow', 'print what there is, and end')
    .option('--json', 'one JSON object a line')
    .action(async (directory: string, name: string | undefined, options) => {
      const { contestTail } = await import('./contest-tail.ts')
      process.exitCode = await contestTail(directory, name, options)
    })

  contest
    .command('cancel')
    .summary('end the process that works on a contest, and keep what is done')
    .argument('[directory]', 'the contest', '.')
    .option('--json', 'the result as JSON on standard output')
    .action(async (directory: string, options) => {
      const { contestCancel } = await import('./contest-cancel.ts')
      process.exitCode = await contestCancel(directory, options)
    })

  contest
    .command('trust')
    .summary('agree to what contest.yaml asks for of yours: variables, secrets, hosts for your credentials')
    .argument('[directory]', 'the contest', '.')
    .option('--show', 'only print what it asks for')
    .option('--json', 'as JSON')
    .action(async (directory: string, options) => {
      const { contestTrust } = await import('./contest-trust.ts')
      process.exitCode = await contestTrust(directory, options)
    })

  contest
    .command('archive')
    .summary('make one file with the results of a contest, to hand on')
    .argument('[directory]', 'the contest', '.')
    .option('--with-logs', 'also what agents said and printed')
    .option('--format <format>', 'tar or dir', 'tar')
    .option('--out <file>', 'its name; in this directory, after the contest, by default')
    .option('--allow-secrets', 'also with what looks like a secret; never with a credential that was in play')
    .option('--json', 'the result as JSON on standard output')
    .action(async (directory: string, options) => {
      const { contestArchive } = await import('./contest-archive.ts')
      process.exitCode = await contestArchive(directory, options)
    })

  for (const [name, summary] of removals) {
    const command = contest
      .command(name)
      .summary(summary)
      .argument('[directory]', 'the contest', '.')
      .option('--json', 'the result as JSON on standard output')
      .option('--dry-run', 'say what would be removed, and remove nothing')
    if (name === 'prune')
      command
        .option('--all', 'also seals and scores of earlier rounds and judgings')
        .option('--older-than <duration>', 'only what was last changed so long ago, such as 30d')
    command.action(async (directory: string, options) => {
      const { contestRemoval } = await import('./contest-clean.ts')
      process.exitCode = await contestRemoval(name, directory, options)
    })
  }
}
