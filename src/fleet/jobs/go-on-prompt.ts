/** The prompt of an agent that continues after it was stopped. */
export const goOnPrompt = 'You were interrupted. Look at what is done already, and continue with the task.'
