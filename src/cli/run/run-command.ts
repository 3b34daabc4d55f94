import type { Command } from 'commander'
import { collect } from '../repeatable.ts'

/** `paddock run`, with all its options. */
export function addRunCommand(program: Command): void {
  program
    .command('run')
    .summary('run one agent, or any command, in a cell on the project in front of you')
    .usage('[options] <agent> [args…]   or   paddock run [options] -- <command…>')
    .argument('[words...]', 'an agent with its own arguments, or after -- a command')
    .passThroughOptions()
    .option('--prompt <text>', 'work on this without a terminal; it goes to the agent on standard input')
    .option('--prompt-file <file>', 'the same, from a file; -: from standard input')
    .option('--continue <conversation>', 'with a prompt: continue this conversation of the agent')
    .option('--raw', 'with a prompt on a terminal: print the output of the agent as it is, not as readable progress')
    .option('--model <name>', 'the model, as the agent names it')
    .option('--base-url <url>', 'a model endpoint in place of the vendor’s')
    .option('--egress <policy>', 'off, allowlist, public or open', 'allowlist')
    .option(
      '--block <range>',
      'with --egress public: reject this address or range as well, for example 203.0.113.0/24 (repeatable)',
      collect,
      [],
    )
    .option('--allow <host[:port][=address[:port]]>', 'let the cell reach this host; "=" pins it to an address (repeatable)', collect, [])
    .option(
      '--ask <host[:port]>',
      'let the cell reach this host after you said yes to each connection; "*" is any name (repeatable)',
      collect,
      [],
    )
    .option(
      '--preset <name>',
      'let the cell reach the hosts of a preset: an agent’s name, github, npm, pypi, apt (repeatable)',
      collect,
      [],
    )
    .option('--inspect <host[:port]>', 'let the cell reach this host, and read its requests (repeatable)', collect, [])
    .option(
      '--rule <rule>',
      "what requests to an inspected host may do: 'deny POST,PUT api.example.com/repos/**' (repeatable, the first that matches decides)",
      collect,
      [],
    )
    .option(
      '--rules <set[=ask|deny]>',
      'a ready-made set for allowed forges and inspected hosts: git-push, publish, release, delete (repeatable)',
      collect,
      [],
    )
    .option(
      '--repo <host/owner/name[=read|write]>',
      'let git, and the programs of its forge, work with this repository by your own token, which stays outside; owner/* is all of an owner, the host alone all of it (repeatable)',
      collect,
      [],
    )
    .option('--ro <path>', 'show this path, read-only (repeatable)', collect, [])
    .option('--rw <path>', 'show this path, writable (repeatable)', collect, [])
    .option('--mask <path>', 'let this file or directory appear empty (repeatable)', collect, [])
    .option('--private', 'let the cell reach what the agent itself needs, and nothing else')
    .option('--env <name[=value]>', 'pass a variable (repeatable)', collect, [])
    .option(
      '--secret <name=ref[@host]>',
      'a variable with a stand-in for a secret: vault:NAME, env:NAME or azure-kv://VAULT/SECRET, swapped at its hosts alone (repeatable)',
      collect,
      [],
    )
    .option('--no-login', 'leave the agent’s own login of this machine alone')
    .option(
      '--credentials <way>',
      'how its credential reaches the agent: placeholder (a worthless stand-in), endpoint (the same, at an endpoint of the gateway’s own), snapshot (a read-only copy), volume[:NAME] (the login of a volume of paddock login, one cell at a time), none',
    )
    .option('--timeout <duration>', 'end it after this time, for example 30m')
    .option('--silence <duration>', 'end it after so long without output')
    .option('--memory <size>', 'memory of the whole cell, for example 4GiB')
    .option('--pids <number>', 'processes of the whole cell')
    .option('--cpus <number>', 'processors that the whole cell may keep busy, for example 1.5')
    .option('--file-size <size>', 'size of one file')
    .option('--disk <size>', 'growth of what it may write to')
    .option('--publish <port[:host-port]>', 'make a server in the cell reachable on the loopback of this machine (repeatable)', collect, [])
    .option('--copy', 'work on a copy of the project; take it over with paddock apply')
    .option('--no-copy', 'work on the project itself, whatever the configuration says')
    .option('--copy-ignored', 'with --copy: copy what git ignores, too')
    .option('--no-project-file', 'leave the .paddock.yaml of the project alone')
    .option('--dry-run', 'print the plan and start nothing')
    .option('--report <file>', 'write the report of the cell as JSON')
    .option(
      '--allow-degraded <name>',
      'give up one named guarantee for this run: memory, cpus, run-later, nested-sandbox (repeatable)',
      collect,
      [],
    )
    .option(
      '--nested-sandbox',
      'let the agent build a sandbox of its own in the cell (namespaces and mounts); the same as --allow-degraded nested-sandbox',
    )
    .option('--quiet', 'no lines of Paddock’s own')
    .option('--json', 'print the report (with --dry-run: the plan) as JSON; the program’s output goes to standard error')
    .action(async (words: string[], options, command: Command) => {
      const { runCommand } = await import('./run.ts')
      process.exitCode = await runCommand(words, options, (name) => command.getOptionValueSource(name) === 'cli')
    })
}
