/** How long an answer counts: for this question, for the cell, or for every cell. */
export const answerScopes = ['once', 'cell', 'always'] as const
export type AnswerScope = (typeof answerScopes)[number]
