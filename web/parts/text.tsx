import { visible } from './visible.ts'

/** Text that an agent, a host or a file chose. It is always shown as text, and cannot change the direction of the text around it. */
export function Foreign({ children, className }: { readonly children: string; readonly className?: string }) {
  return <bdi className={className}>{visible(children)}</bdi>
}
