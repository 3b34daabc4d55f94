import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { dataOption } from './data-option.ts'

/** Adds a command that talks to the server of a fleet. */
export function serverCommand(parent: Command, name: string, summary: string): Command {
  return parent
    .command(name)
    .summary(summary)
    .option(...dataOption)
    .option(...jsonOption)
}

/** Adds the options that give a prompt. */
export function prompting(command: Command): Command {
  return command
    .option('--prompt <text>', 'use this prompt')
    .option('--prompt-file <file>', 'read the prompt from this file; - is standard input')
}
