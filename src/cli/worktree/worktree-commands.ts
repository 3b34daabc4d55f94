import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

const projectOption = ['--project <directory>', 'look for the work tree of this project (default: around here)'] as const

/** Adds `paddock worktree` with its commands. */
export function addWorktreeCommands(program: Command): void {
  const worktree = program.command('worktree').summary('list, open, merge and remove the work trees of paddock run --worktree')
  worktree
    .command('list')
    .summary('list the work trees of all projects, with what is not merged or committed')
    .option(...jsonOption)
    .action(answering<'worktree list'>(async () => (await import('./worktrees.ts')).listCommand))
  worktree
    .command('open')
    .summary('print the directory of a work tree, after the files in it that run later')
    .argument('<name>', 'the name of a work tree of this project')
    .option('--run-later', 'print the directory even if changed files in it run later')
    .addHelpText('after', '\nFor example: cd "$(paddock worktree open fix-login)"')
    .option(...jsonOption)
    .action(answering<'worktree open'>(async () => (await import('./worktrees.ts')).openCommand))
  worktree
    .command('merge')
    .summary('merge the branch of a work tree into the branch of its project')
    .argument('<name>', 'the name of a work tree of this project')
    .option('--run-later', 'merge even if it brings files that run later')
    .option(...projectOption)
    .option(...jsonOption)
    .action(answering<'worktree merge'>(async () => (await import('./worktrees.ts')).mergeCommand))
  worktree
    .command('remove')
    .summary('delete a work tree and its branch, if all of it is merged')
    .argument('<name>', 'the name of a work tree of this project')
    .option('--force', 'delete commits and files too that are nowhere else')
    .option('--keep-branch', 'delete only the work tree, and keep its branch')
    .option(...projectOption)
    .option(...jsonOption)
    .action(answering<'worktree remove'>(async () => (await import('./worktrees.ts')).removeCommand))
}
