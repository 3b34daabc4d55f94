import { escaped, replaceUnseen } from '../../src/base/unseen.ts'

/** Returns foreign text in which characters that hide text or change its direction are escaped. */
export function visible(text: string): string {
  return replaceUnseen(text, (each) => (each === '\n' || each === '\t' ? each : escaped(each)))
}
