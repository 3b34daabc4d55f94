import type { Command } from 'commander'

/** Adds `paddock completion-values`, which completion scripts run and users do not. */
export function addValuesCommand(program: Command): void {
  program
    .command('completion-values', { hidden: true })
    .argument('<kind>')
    .argument('[word]')
    .action(async (kind: string, word = '') => {
      const { valuesOf } = await import('./values.ts')
      process.stdout.write((await valuesOf(kind, word)).map((each) => `${each}\n`).join(''))
    })
}
