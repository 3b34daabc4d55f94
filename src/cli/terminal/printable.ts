import { replaceUnseen } from '../../files/unseen.ts'

/**
 * Text from a cell as a terminal may show it: whatever could move the cursor, set the title, answer back, turn the direction of
 * writing, or hide one name behind another comes out as a visible escape.
 */
export function printable(text: string): string {
  return replaceUnseen(text, (each) => (each === '\t' ? ' ' : `\\x${(each.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`))
}
