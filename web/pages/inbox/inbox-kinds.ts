import type { Item } from '../../inbox.ts'

/** The icon, colour and label of each kind. */
export const kinds: Readonly<Record<Item['kind'], readonly [icon: string, colour: string, word: string]>> = {
  ask: ['msg', 'warn', 'Question'],
  tool: ['tool', 'warn', 'Tool call'],
  egress: ['held', 'warn', 'Held connection'],
  login: ['key', 'bad', 'Login'],
  key: ['key', 'bad', 'Key'],
  budget: ['coin', 'warn', 'Budget'],
  agent: ['fail', 'bad', 'Cannot start'],
  approval: ['held', 'warn', 'Approval'],
}

export function titleOf({ kind, agent }: Item): string {
  const who = agent ?? 'A cell'
  switch (kind) {
    case 'ask':
      return `${who} asks you`
    case 'tool':
      return `May ${who} make this call?`
    case 'egress':
      return `May ${who} reach this?`
    case 'login':
      return `${who} needs a login`
    case 'key':
      return `${who} needs a key`
    case 'budget':
      return `A budget of ${who} is used up`
    case 'agent':
      return `${who} cannot start`
    case 'approval':
      return `A manifest of ${who} is waiting for an owner`
  }
}

/** Returns the text for the list: the subject of the question, else the sentence. */
export const lineOf = ({ subject, text }: Item): string => subject ?? text
