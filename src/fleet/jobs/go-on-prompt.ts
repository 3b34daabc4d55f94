/** What an agent is told that goes on after it was stopped. */
export const goOnPrompt = 'You were interrupted. Look at what is done already, and continue with the task.'
