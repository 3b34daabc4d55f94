import { visible } from './visible.ts'

/** Text that an agent, a host or a file chose. It is never more than text, and turns the direction of nothing around it. */
export function Foreign({ children, className }: { readonly children: string; readonly className?: string }) {
  return <bdi className={className}>{visible(children)}</bdi>
}
