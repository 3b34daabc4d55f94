import { Command } from 'commander'
import { version } from './version.ts'

/** Options that may be given several times. */
const collect = (value: string, all: string[]): string[] => [...all, value]

const steps = [
  ['run', 'run participants, checks and judges, and report; continues what was begun'],
  ['judge', 'let the judges score what is sealed'],
  ['report', 'write the report from the scores'],
  ['status', 'say how far it is'],
] as const

/** The whole command line: every word and option, each command's work loaded only when it is asked for. */
export function buildProgram(): Command {
  const program = new Command('paddock')
    .description('Runs coding agents in cells, lets others judge their sealed work blind, and says who won.')
    .version(version)
    .enablePositionalOptions()
    .showHelpAfterError('(paddock --help shows the commands)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'paddock: ')) })

  program
    .command('run')
    .summary('run one agent, or any command, in a cell on the project in front of you')
    .usage('[options] <agent> [args…]   or   paddock run [options] -- <command…>')
    .argument('[words...]', 'an agent with its own arguments, or after -- a command')
    .passThroughOptions()
    .option('--prompt <text>', 'work on this without a terminal; it goes to the agent on standard input')
    .option('--prompt-file <file>', 'the same, from a file')
    .option('--model <name>', 'the model, as the agent names it')
    .option('--base-url <url>', 'a model endpoint in place of the vendor’s')
    .option('--egress <policy>', 'off, allowlist, public or open', 'allowlist')
    .option('--allow <host[:port][=address[:port]]>', 'let the cell reach this host; "=" pins it to an address (repeatable)', collect, [])
    .option(
      '--preset <name>',
      'let the cell reach the hosts of a preset: an agent’s name, github, npm, pypi, apt (repeatable)',
      collect,
      [],
    )
    .option('--ro <path>', 'show this path, read-only (repeatable)', collect, [])
    .option('--rw <path>', 'show this path, writable (repeatable)', collect, [])
    .option('--env <name[=value]>', 'pass a variable (repeatable)', collect, [])
    .option('--no-login', 'do not show the agent’s own login of this machine to it')
    .option('--timeout <duration>', 'end it after this time, for example 30m')
    .option('--silence <duration>', 'end it after so long without output')
    .option('--memory <size>', 'memory of the whole cell, for example 4GiB')
    .option('--pids <number>', 'processes of the whole cell')
    .option('--file-size <size>', 'size of one file')
    .option('--disk <size>', 'growth of what it may write to')
    .option('--publish <port[:host-port]>', 'make a server in the cell reachable on the loopback of this machine (repeatable)', collect, [])
    .option('--dry-run', 'print the plan and start nothing')
    .option('--report <file>', 'write the report of the cell as JSON')
    .option('--allow-degraded <name>', 'give up one named guarantee for this run: memory, run-later (repeatable)', collect, [])
    .option('--quiet', 'no lines of Paddock’s own')
    .option('--json', 'with --dry-run: the plan as JSON')
    .action(async (words: string[], options) => {
      const { runCommand } = await import('./run.ts')
      process.exitCode = await runCommand(words, options)
    })

  program
    .command('doctor')
    .summary('what this machine can enforce, and how to get the rest')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { doctorCommand } = await import('./doctor.ts')
      process.exitCode = await doctorCommand(options)
    })

  const contest = program.command('contest').summary('put several agents to one brief and have others judge their sealed work blind')

  contest
    .command('new')
    .summary('make a directory with a contest to fill in')
    .argument('<directory>')
    .action(async (directory: string) => {
      const { contestNew } = await import('./contest.ts')
      process.exitCode = await contestNew(directory)
    })

  for (const [name, summary] of steps) {
    const command = contest
      .command(name)
      .summary(summary)
      .argument('[directory]', 'the contest', '.')
      .option('--json', 'the result as JSON on standard output')
      .option('--quiet', 'no progress')
    if (name === 'run') {
      command
        .option('--parallel <number>', 'cells at once')
        .option('--retry', 'give participants that could not run another attempt')
        .option('--to <directory>', 'copy the contest’s own files there first and run it there')
        .option('--fresh', 'start a new round; the earlier ones are kept')
    }
    command.action(async (directory: string, options) => {
      const { contestStep } = await import('./contest.ts')
      process.exitCode = await contestStep(name, directory, options)
    })
  }
  return program
}
