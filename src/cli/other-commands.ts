import type { Command } from 'commander'
import { addAttestCommands } from './attest/attest-commands.ts'
import { addAuditCommands } from './audit/audit-commands.ts'
import { addCellCommands } from './cells/cells-commands.ts'
import { addConfigCommands } from './config/config-commands.ts'
import { addContestCommands } from './contest/contest-commands.ts'
import { addCopyCommands } from './copy/copy-commands.ts'
import { addCredentialCommands } from './credentials/credentials-commands.ts'
import { addFleetCommands } from './fleet/fleet-commands.ts'
import { jsonOption } from './json-option.ts'
import { addMachineCommands } from './machine/machine-commands.ts'
import { addPostureCommands } from './posture/posture-commands.ts'
import { addProtocolCommands } from './protocols/protocol-commands.ts'
import { addRemoteCommands } from './remote/remote-commands.ts'
import { addShimCommands } from './shim/shim-commands.ts'
import { addSuiteCommands } from './suite/suite-commands.ts'
import { answering } from './terminal/command-answer.ts'
import { addVaultCommands } from './vault/vault-commands.ts'
import { addWorktreeCommands } from './worktree/worktree-commands.ts'

/** Adds every command except `run` and those that Paddock itself starts. */
export function addOtherCommands(program: Command): void {
  addCopyCommands(program)
  addWorktreeCommands(program)
  program
    .command('sign')
    .summary('sign the commits that runs made on the current branch, with your own git')
    .option('--since <commit>', 'sign all unsigned commits after this one instead')
    .option(...jsonOption)
    .action(answering<'sign'>(async () => (await import('./run/sign.ts')).signCommand))
  addCellCommands(program)
  addConfigCommands(program)
  addMachineCommands(program)
  addPostureCommands(program)
  addRemoteCommands(program)
  addAuditCommands(program)
  addAttestCommands(program)
  program
    .command('completion')
    .summary('print a script that completes commands and options in a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', '\nFor example, in ~/.bashrc: eval "$(paddock completion bash)"')
    .action(async (shell: string) => {
      const { completionCommand } = await import('./completion/completion.ts')
      process.exitCode = completionCommand(shell, program)
    })
  addVaultCommands(program)
  addCredentialCommands(program)
  addFleetCommands(program)
  addProtocolCommands(program)
  addShimCommands(program)
  addContestCommands(program)
  addSuiteCommands(program)
}
