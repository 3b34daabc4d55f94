/**
 * Text from a cell as a terminal may show it: control characters (C0, DEL, C1), which could move the cursor, set the
 * title or answer back (ECMA-48), and the marks that turn the direction of writing come out as visible escapes.
 */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (each) =>
    each === '\t' ? ' ' : `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
