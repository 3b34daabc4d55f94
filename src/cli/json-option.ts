/** The option that every command with an answer has. */
export const jsonOption = ['--json', 'print JSON'] as const
