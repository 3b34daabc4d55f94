/** The `--json` option, which every command that prints an answer has. */
export const jsonOption = ['--json', 'print JSON'] as const
