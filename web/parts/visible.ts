import { escaped, replaceUnseen } from '../../src/unseen.ts'

/** Foreign text as one line or several: what could hide or turn it is a visible escape. */
export function visible(text: string): string {
  return replaceUnseen(text, (each) => (each === '\n' || each === '\t' ? each : escaped(each)))
}
