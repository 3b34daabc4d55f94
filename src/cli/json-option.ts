/** The option of every command that prints an answer. */
export const jsonOption = ['--json', 'print JSON'] as const
