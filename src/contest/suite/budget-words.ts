const words: Readonly<Record<string, string>> = {
  money: 'too little money left for another cell',
  tokens: 'too few tokens left for another cell',
  wall: 'too little time left for another cell',
  'judges.money': 'too little money left for another judge',
  'judges.tokens': 'too few tokens left for another judge',
}

/** Returns what a budget lacks if this cap kept a cell from starting. */
export function leftWords(cap: string): string {
  return words[cap] ?? `too little of ${cap} left for another cell`
}
