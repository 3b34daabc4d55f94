// Runs before the first paint, because a page that is light for a moment would flash at night. This is not a module, so it imports nothing;
// its attributes, keys and values are the same as in looks.ts.
const kept = [
  ['theme', 'theme', /^(light|dark)$/],
  ['density', 'paddock.density', /^comfortable$/],
  ['terminal', 'paddock.terminal', /^theme$/],
] as const
for (const [name, key, values] of kept) {
  const value = localStorage.getItem(key)
  if (value !== null && values.test(value)) document.documentElement.dataset[name] = value
}
