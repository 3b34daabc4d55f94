export function buildOrder(tasks) {
  const needs = new Map()
  const needsOf = (name) => {
    if (!needs.has(name)) needs.set(name, new Set())
    return needs.get(name)
  }
  for (const [name, list] of tasks) {
    const own = needsOf(name)
    for (const each of list) {
      own.add(each)
      needsOf(each)
    }
  }
  const users = new Map([...needs.keys()].map((name) => [name, []]))
  const open = new Map()
  for (const [name, list] of needs) {
    open.set(name, list.size)
    for (const each of list) users.get(each).push(name)
  }
  const ready = new Heap()
  for (const [name, count] of open) if (count === 0) ready.push(name)
  const order = []
  while (ready.size > 0) {
    const name = ready.pop()
    order.push(name)
    for (const user of users.get(name)) {
      open.set(user, open.get(user) - 1)
      if (open.get(user) === 0) ready.push(user)
    }
  }
  if (order.length === needs.size) return order
  throw Object.assign(new Error('tasks need each other'), { cycle: cyclic(needs).sort((a, b) => (a < b ? -1 : 1)) })
}

/** Returns the names in cycles: members of strongly connected components (Tarjan, without recursion). */
function cyclic(needs) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const onStack = new Set()
  const found = []
  for (const root of needs.keys()) {
    if (index.has(root)) continue
    const work = []
    const enter = (name) => {
      index.set(name, index.size)
      low.set(name, index.get(name))
      stack.push(name)
      onStack.add(name)
      work.push({ name, left: needs.get(name).values() })
    }
    enter(root)
    while (work.length > 0) {
      const { name, left } = work.at(-1)
      const { done, value } = left.next()
      if (!done) {
        if (!index.has(value)) enter(value)
        else if (onStack.has(value)) low.set(name, Math.min(low.get(name), index.get(value)))
        continue
      }
      work.pop()
      const above = work.at(-1)?.name
      if (above !== undefined) low.set(above, Math.min(low.get(above), low.get(name)))
      if (low.get(name) !== index.get(name)) continue
      const part = stack.splice(stack.lastIndexOf(name))
      for (const each of part) onStack.delete(each)
      if (part.length > 1 || needs.get(name).has(name)) found.push(...part)
    }
  }
  return found
}

class Heap {
  #items = []
  get size() {
    return this.#items.length
  }
  push(item) {
    const items = this.#items
    let at = items.push(item) - 1
    for (let above = (at - 1) >> 1; at > 0 && items[at] < items[above]; at = above, above = (at - 1) >> 1) [items[at], items[above]] = [items[above], items[at]]
  }
  pop() {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (items.length === 0) return first
    items[0] = last
    for (let at = 0; ; ) {
      let least = at
      for (const below of [2 * at + 1, 2 * at + 2]) if (below < items.length && items[below] < items[least]) least = below
      if (least === at) return first
      ;[items[at], items[least]] = [items[least], items[at]]
      at = least
    }
  }
}
