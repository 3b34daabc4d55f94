import { escaped, replaceUnseen } from '../../src/unseen.ts'

/** Foreign text as one line or several: what could hide or turn it is a visible escape. */
export function visible(text: string): string {
  return replaceUnseen(text, (each) => (each === '\n' || each === '\t' ? each : escaped(each)))
}

/** Text that an agent, a host or a file chose. It is never more than text, and turns the direction of nothing around it. */
export function Foreign({ children, className }: { readonly children: string; readonly className?: string }) {
  return <bdi className={className}>{visible(children)}</bdi>
}
