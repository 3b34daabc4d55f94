import type { Command } from 'commander'
import { backendNames } from '../../base/cell-place.ts'
import { postures } from '../../base/posture.ts'
import { sharedDeps } from '../../config/request/shared-deps.ts'
import { egressModes } from '../../egress/policy/egress-policy.ts'
import { choice } from '../choice.ts'
import { collect } from '../repeatable.ts'
import { answering } from '../terminal/command-answer.ts'
import type { RunOptions } from './options.ts'

/** Adds `paddock run`, with all its options. */
export function addRunCommand(program: Command): void {
  const run = program
    .command('run')
    .summary('run an agent or any command on the current project, in a cell')
    .usage('[options] <agent> [args…]   or   paddock run [options] -- <command…>')
    .argument('[words...]', 'an agent with its own arguments, or after -- a command')
    .passThroughOptions()
  const repeatable = (flags: string, about: string): Command => run.option(flags, `${about} (repeatable)`, collect, [])

  run
    .option('--prompt <text>', 'give the agent this prompt, without a terminal')
    .option('--prompt-file <file>', 'read the prompt from this file; - is standard input')
    .option('--continue <conversation>', 'with a prompt: continue this conversation of the agent')
    .option('--raw', "with a prompt: print the agent's output as it is, not as progress")
    .option('--as-is', 'start the agent with your arguments only, as a shim does')
    .option('--model <name>', 'use this model, as the agent names it')
    .option('--base-url <url>', "use this model endpoint instead of the vendor's")
    .addOption(choice('--egress <policy>', 'use this policy: off, allowlist, public or open', egressModes, 'allowlist'))
  repeatable('--block <range>', 'with --egress public: also reject this address or range')
  repeatable('--allow <host[:port][=address[:port]]>', 'let the cell reach this host; = pins its address')
  repeatable('--ask <host[:port]>', 'ask before each connection to this host; * is any host')
  repeatable('--preset <name>', 'allow a preset, such as github, npm, pypi, apt or maven')
  repeatable('--inspect <host[:port]>', 'let the cell reach this host, and check each of its requests')
  repeatable('--rule <rule>', "apply this rule to requests: 'deny POST,PUT api.example.com/repos/**'")
  repeatable('--rules <set[=ask|deny]>', 'add a set of rules: git-push, publish, release or delete')
  repeatable('--repo <host/owner/name[=read|write]>', 'let git use this repository with your token, which stays outside')
  repeatable('--ro <path>', 'show this path to the cell, read-only')
  repeatable('--rw <path>', 'show this path to the cell, writable')
  repeatable('--mask <path>', 'make this file or directory appear empty')
  run.option('--private', 'let the cell reach only what the agent itself needs')
  repeatable('--env <name[=value]>', 'pass a variable to the cell')
  repeatable('--secret <name=ref[@host]>', 'pass a placeholder for vault:NAME, env:NAME or azure-kv://…')
  run
    .option('--no-login', 'do not give the agent its own login of this machine')
    .option('--credentials <way>', 'pass the login as placeholder, endpoint, snapshot, volume[:NAME], none')
    .option('--timeout <duration>', 'stop the cell after this time, for example 30m')
    .option('--silence <duration>', 'stop the cell after this time without output')
    .option('--memory <size>', 'limit the memory of the whole cell, for example 4GiB')
    .option('--pids <number>', 'limit the processes of the whole cell')
    .option('--cpus <number>', 'limit the processors of the whole cell, for example 1.5')
    .option('--file-size <size>', 'limit the size of one file')
    .option('--disk <size>', 'limit the growth of directories that the cell may write to')
  repeatable('--publish <port[:host-port]>', 'open a port of the cell on the loopback of this machine')
  run
    .option('--copy', 'work on a copy of the project; apply it with paddock apply')
    .option('--no-copy', 'work on the project itself, even if the configuration says --copy')
    .option('--copy-ignored', 'with --copy: also copy files that git ignores')
    .option('--worktree <name>', 'work in a separate work tree of git, on a branch of this name')
    .option('--worktree-in <directory>', 'with --worktree: make a new work tree in this directory')
    .option('--on <machine>', 'run the cell on this machine of paddock remote; implies --copy')
    .option('--keep <duration>', 'with --on: keep a cell whose connection is lost (default: 10m)')
    .addOption(choice('--posture <level>', 'give the cell this isolation level (default: L2)', postures))
    .addOption(choice('--backend <name>', 'build the cell with this backend (default: auto)', backendNames))
    .option('--i-know', 'with --posture L0: run it on this machine, with no protection')
    .addOption(choice('--deps <way>', 'treat files shared by hard links this way: own copies, ro, rw', sharedDeps))
    .option('--strict-names', 'keep the cell from using names at the root that tools obey')
    .option('--no-brief', 'do not tell the agent about the limits of its cell')
    .option('--ephemeral', 'use a temporary home, which is deleted at the end')
    .option('--keep-home', 'use settings in the private home that runs with fewer rights wrote')
    .option('--no-project-file', 'ignore the .paddock.yaml of the project')
    .option('--dry-run', 'print the plan and start nothing')
    .option('--report <file>', 'write the report of the cell to this file, as JSON')
    .option('--trajectory <file>', "write the agent's steps to this file, in the format ATIF")
  run.option('--no-web-tools', 'remove the web tools of the agent, such as web search')
  repeatable('--untrusted <what>', 'name a source of text that others wrote, such as an issue')
  repeatable('--allow-degraded <name>', 'give up one guarantee: memory, cpus, run-later or nested-sandbox')
  run
    .option('--nested-sandbox', 'let the agent create its own sandbox in the cell')
    .option('--quiet', "print none of Paddock's own lines")
    .option('--json', "print the report or plan as JSON; the program's output goes to stderr")
    .action(
      answering<'run'>(async () => {
        const [{ runCommand }, { hintBeforeAgent }] = await Promise.all([import('./run.ts'), import('./after-agent.ts')])
        return async (words: readonly string[], options: RunOptions) => {
          try {
            return await runCommand(words, options, (name) => run.getOptionValueSource(name) === 'cli')
          } catch (error) {
            throw hintBeforeAgent(error, words, run)
          }
        }
      }),
    )
}
