import type { Command } from 'commander'
import { choice } from '../choice.ts'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock contest trust`, `archive`, `clean` and `prune`. */
export function addKeepingCommands(contest: Command): void {
  contest
    .command('trust')
    .summary('trust contest.yaml with the variables, secrets and hosts that it asks for')
    .argument('[directory]', 'the contest', '.')
    .option('--show', 'only print what it asks for')
    .option(...jsonOption)
    .action(answering<'contest trust'>(async () => (await import('./contest-trust.ts')).contestTrust))

  contest
    .command('archive')
    .summary('write the results of a contest to one file, to share')
    .argument('[directory]', 'the contest', '.')
    .option('--with-logs', 'include transcripts and output of agents')
    .addOption(choice('--format <format>', 'write a tar file (tar) or a directory (dir)', ['tar', 'dir'], 'tar'))
    .option('--out <file>', 'write to this path (default: here, named after the contest)')
    .option('--allow-secrets', 'include text that looks like a secret, but no known credential')
    .option(...jsonOption)
    .action(answering<'contest archive'>(async () => (await import('./contest-archive.ts')).contestArchive, 'packing'))

  removal(contest, 'clean', 'remove work directories that are sealed, and other copies').action(
    answering<'contest clean'>(async () => {
      const { contestRemoval } = await import('./contest-clean.ts')
      return (directory: string, options: Parameters<typeof contestRemoval>[2]) => contestRemoval('clean', directory, options)
    }, 'looking for leftovers'),
  )

  removal(contest, 'prune', 'remove attempts and judgings that no longer count')
    .option('--all', 'also remove seals and scores of earlier rounds and judgings')
    .option('--older-than <duration>', 'remove only entries unchanged for this time, such as 30d')
    .action(
      answering<'contest prune'>(async () => {
        const { contestRemoval } = await import('./contest-clean.ts')
        return (directory: string, options: Parameters<typeof contestRemoval>[2]) => contestRemoval('prune', directory, options)
      }, 'looking for leftovers'),
    )
}

function removal(contest: Command, name: string, summary: string): Command {
  return contest
    .command(name)
    .summary(summary)
    .argument('[directory]', 'the contest', '.')
    .option(...jsonOption)
    .option('--dry-run', 'print what would be removed, and remove nothing')
}
