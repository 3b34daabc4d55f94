// Read before the first paint: a page that is light for a moment would flash at night. No module, so it imports nothing;
// the attributes, keys and values are those of looks.ts.
const kept = [
  ['theme', 'theme', /^(light|dark)$/],
  ['density', 'paddock.density', /^comfortable$/],
  ['terminal', 'paddock.terminal', /^theme$/],
] as const
for (const [name, key, values] of kept) {
  const value = localStorage.getItem(key)
  if (value !== null && values.test(value)) document.documentElement.dataset[name] = value
}
